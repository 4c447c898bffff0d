import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { editProperty } from '#features/listing-form/commands/edit-property.ts';
import { propertyForm } from '#features/listing-form/reads.ts';
import { decideListing } from '#features/listing-review/commands/decide-listing.ts';
import { reviewQueue } from '#features/listing-review/reads.ts';
import { actionRefusalMessages } from '#features/listings/rules.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { asSystem } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { deleteSeller } from './commands/delete-seller.ts';
import { withdrawListings } from './commands/withdraw-listings.ts';
import { withdrawListingsJob } from './queues.ts';
import { managedSeller } from './reads.ts';
import { WITHDRAWN_AT_ONCE } from './removal.ts';

await describeOnDatabase('the listings of an archived seller', (open) => {
  let db: Database;
  let market: SaleScenario;
  let ctx: CtxWith<'geocoder' | 'files' | 'malware'>;
  let sellerId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-archived-'));
  beforeAll(async () => {
    db = await open();
    market = await createSaleScenario(db, { clock: testClock() });
    ctx = {
      ...market.contextFor(market.admin),
      geocoder: zipCodeGeocoder,
      files: createFolderStore({ folder, secret: 'a secret that is long enough for tests' }),
      malware: noScanner,
    };
  });
  beforeEach(async () => {
    sellerId = String((await createUser(db, 'agent')).agentId);
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const listing = (facts: Parameters<typeof createListing>[2] = {}) => createListing(db, sellerId, facts);
  const archive = () => deleteSeller(ctx, { sellerId, way: 'archive' });
  const edit = async (propertyId: string, changes: Readonly<Record<string, string>>) => {
    const { property } = await propertyForm(ctx, propertyId);
    const form = { ...property.form, ...changes };
    return editProperty(ctx, { propertyId, base: property.form, form, reason: 'Back again.', survey: null });
  };
  const gone = actionRefusalMessages.seller_gone;

  it('are not put on sale again, by hand or by an approval, before somebody else sells them', async () => {
    const ids = [await listing({ status: 'withdrawn', listed_at: new Date() }), await listing()];
    expect(await archive()).toEqual({ ok: true, way: 'archive' });
    for (const id of ids)
      for (const status of ['Active', 'pending'])
        expect(await edit(id, { status })).toEqual({
          ok: false,
          reason: 'invalid',
          errors: { status: gone },
        });
    // As one that was left waiting when its seller was archived.
    const [, waiting = ''] = ids;
    await sql`update properties set status = 'pending' where id = ${waiting}`.execute(db.q());
    const queued = (await reviewQueue(ctx, { page: 1 })).rows.find(({ id }) => id === waiting);
    expect(
      await decideListing(ctx, {
        propertyId: waiting,
        version: queued?.version ?? '',
        decision: 'approve',
      }),
    ).toEqual({ ok: false, reason: 'seller_gone', why: gone });
    const seller = String(market.seller.agentId);
    expect(await edit(waiting, { status: 'Active', seller })).toMatchObject({ ok: true });
    expect(await market.begin(market.buyer, waiting)).toMatchObject({ ok: true });
  });

  it('are not bought, should one still be on the market', async () => {
    const id = await listing({ status: 'withdrawn', listed_at: new Date() });
    await archive();
    await sql`update properties set status = 'Active' where id = ${id}`.execute(db.q());
    expect(await market.begin(market.otherBuyer, id)).toEqual({ ok: false, reason: 'suspended' });
  });

  it('are withdrawn also when they were set in escrow by hand', async () => {
    const id = await listing();
    expect(await edit(id, { status: 'escrow' })).toMatchObject({ ok: true });
    await archive();
    expect(await market.propertyStatus(id)).toBe('withdrawn');
  });

  it('are withdrawn by a job where they are many, which goes on where it was stopped, and the seller says how many are left', async () => {
    const count = WITHDRAWN_AT_ONCE + 130;
    const first = await listing();
    await sql`insert into properties (agent_id, type_id, address, city, state, zip, price_cents, status, listed_at)
      select agent_id, type_id, n || ' Many Street', city, state, zip, price_cents, 'Active', now()
      from properties, generate_series(2, ${count}) n where id = ${first}`.execute(db.q());
    const left = async () => (await managedSeller(ctx, sellerId)).withdrawing;
    expect(await archive()).toEqual({ ok: true, way: 'archive', withdrawing: true });
    expect(await left()).toBe(130);
    const {
      rows: [job],
    } = await sql<{ data: { sellerId: string; after: string } }>`select data from pgboss.job
      where name = ${withdrawListingsJob.name} and singleton_key = ${sellerId}`.execute(db.q());
    const work = async (signal?: AbortSignal) =>
      withdrawListings(asSystem(ctx, 'jobs'), {
        sellerId,
        after: job?.data.after ?? null,
        batch: 20,
        ...(signal && { signal }),
      });
    await work(AbortSignal.abort());
    expect(await left()).toBe(130);
    await work();
    expect(await left()).toBe(0);
    const { rows } = await sql<{ status: string; changes: number; audits: number }>`
      select p.status, count(*)::integer as listings,
        sum((select count(*) from property_changes c where c.property_id = p.id and c.field = 'status'))::integer as changes,
        sum((select count(*) from audit_log a where a.entity_id = p.id::text and a.action = 'listing.withdraw'))::integer as audits
      from properties p where agent_id = ${sellerId} group by p.status`.execute(db.q());
    expect(rows).toEqual([{ status: 'withdrawn', listings: count, changes: count, audits: count }]);
  });
});
