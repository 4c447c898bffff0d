import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RequestScope, requestScope } from '#app/request.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
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
  });
  afterAll(() => db.close());

  /** Calls a page's loader while some tables cannot be read. */
  async function load<Loaded>(
    loader: (args: never) => Promise<Loaded>,
    ctx: Ctx,
    missing: readonly string[],
  ): Promise<Loaded> {
    const context = new RouterContextProvider();
    context.set(requestScope, { ctx } as unknown as RequestScope);
    const url = new URL('http://localhost/page');
    const args = { request: new Request(url), url, params: { id: propertyId }, context };
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
  ] as const)('is the frame of the %s of a seller', async (_, loader, missing, shown) => {
    const whole = await load<Answer>(loader, scenario.contextFor(scenario.seller), []);
    expect(whole.init?.status).toBeUndefined();
    const loaded = await load<Answer>(loader, scenario.contextFor(scenario.seller), missing);
    expect(loaded).toMatchObject({ data: shown, init: { status: 503 } });
  });
});
