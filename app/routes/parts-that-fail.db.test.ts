import { randomUUID } from 'node:crypto';
import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RequestScope, requestScope } from '#app/request.ts';
import { ensureDraft } from '#features/listing-form/commands/save-draft.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createImport } from '#tests/support/fixtures/imports.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { loader as importOfAdmin } from './admin/import.tsx';
import { loader as addProperty } from './agent/add-property.tsx';
import { loader as draftPreview } from './agent/draft-preview.tsx';
import { loader as editProperty } from './agent/edit-property.tsx';
import { loader as importOfSeller } from './agent/import.tsx';
import { loader as listingPreview } from './agent/listing-preview.tsx';
import { loader as disclosures } from './agent/property-disclosures.tsx';
import { loader as ownership } from './agent/property-ownership.tsx';
import { loader as propertyStatistics } from './agent/property-statistics.tsx';
import { loader as statements } from './agent/statements.tsx';
import { loader as property } from './public/property.tsx';

/** What a loader returns with a status of its own. */
interface Answer {
  data: unknown;
  init: ResponseInit | null;
}

await describeOnDatabase('a page of which a part cannot be read', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let propertyId: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    propertyId = await scenario.createListing();
    // With a new one begun, whose photos are read too.
    await ensureDraft(scenario.contextFor(scenario.seller), { draftId: randomUUID() });
  });
  afterAll(() => db.close());

  /** Calls a page's loader while some tables cannot be read. */
  async function load<Loaded>(
    loader: (args: never) => Promise<Loaded>,
    ctx: Ctx,
    missing: readonly string[],
    id = propertyId,
  ): Promise<Loaded> {
    const context = new RouterContextProvider();
    context.set(requestScope, { ctx } as unknown as RequestScope);
    const url = new URL('http://localhost/page');
    const args = { request: new Request(url), url, params: { id }, context };
    const rename = async (from: string, to: string) => {
      for (const table of missing)
        await db.q().schema.alterTable(`${from}${table}`).renameTo(`${to}${table}`).execute();
    };
    await rename('', 'missing_');
    try {
      return await loader(args as never);
    } finally {
      await rename('missing_', '');
    }
  }

  it('is the page of a property without its history, tours, marks and similar homes', async () => {
    const missing = ['property_changes', 'tour_hours', 'property_watches'];
    const broken = new Proxy(db, {
      get: (target, name) => {
        if (name === 'replica') throw new Error('The replica does not answer');
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const ctx = { ...scenario.contextFor(scenario.buyer), db: broken };
    expect(await load(property, ctx, missing)).toMatchObject({
      listing: { id: propertyId },
      watched: false,
      similar: { cards: [], watched: [] },
      sections: { history: null, tourHref: null },
    });
  });

  it.each([
    ['statements', statements, ['ledger_entries'], { loaded: null }],
    ['statistics', propertyStatistics, ['listing_days'], { statistics: null }],
    ['form of a new property', addProperty, ['property_drafts'], { loaded: null }],
    [
      'form of a new property whose photos cannot be read, as it would be submitted without them',
      addProperty,
      ['property_images'],
      { loaded: null },
    ],
    ['form of a property', editProperty, ['property_drafts'], { loaded: null, ownership: {} }],
    ['form of a property whose photos cannot be read', editProperty, ['property_images'], { loaded: null }],
    ['ownership of a property', ownership, ['ownership_proofs'], { ownership: null, mayUpload: true }],
    ['disclosures of a property', disclosures, ['document_registry'], { disclosures: null, mayUpload: true }],
    ['preview of a property', listingPreview, ['property_drafts'], { shown: null }],
    ['preview of a draft', draftPreview, ['property_drafts'], { shown: null }],
  ] as const)('is the frame of the %s of a seller', async (_, loader, missing, shown) => {
    const whole = await load<Answer>(loader, scenario.contextFor(scenario.seller), []);
    expect(whole.init?.status).toBeUndefined();
    const loaded = await load<Answer>(loader, scenario.contextFor(scenario.seller), missing);
    expect(loaded).toMatchObject({ data: shown, init: { status: 503 } });
  });

  it('is the preview of a property without its history', async () => {
    const loaded = await load(listingPreview, scenario.contextFor(scenario.seller), ['property_changes']);
    expect(loaded).toMatchObject({
      data: { shown: { preview: { sections: { history: null } } } },
      init: null,
    });
  });

  it.each([
    ['seller', importOfSeller],
    ['administrator', importOfAdmin],
  ] as const)('is the frame of an import of a %s', async (role, loader) => {
    const { admin, seller } = scenario;
    const ctx = scenario.contextFor(role === 'seller' ? seller : admin);
    const id = await createImport(db, { status: 'done', agentId: seller.agentId, madeBy: seller.id });
    expect(await load<Answer>(loader, ctx, [], id)).toMatchObject({ data: { details: { id } } });
    const loaded = await load<Answer>(loader, ctx, ['listing_imports'], id);
    expect(loaded).toMatchObject({ data: { details: null, mayAct: true }, init: { status: 503 } });
  });
});
