import { sql, type UpdateObject } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { sumUp } from './commands/sum-up.ts';
import type { MarketplaceTotals } from './model.ts';
import { marketplaceTotals, recentPayouts, waitingWork } from './reads.ts';

await describeOnDatabase("the administrators' figures", (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const totals = () => marketplaceTotals(scenario.contextFor(scenario.admin));
  const payouts = () => recentPayouts(scenario.contextFor(scenario.admin));
  /** What has become more since `before`. */
  const since = async (before: MarketplaceTotals) => {
    const now = await totals();
    return {
      sellers: now.sellers - before.sellers,
      properties: now.properties.count - before.properties.count,
      sales: now.sales.count - before.sales.count,
      cents: now.sales.cents - before.sales.cents,
      adminFeesCents: now.adminFeesCents - before.adminFeesCents,
    };
  };
  const nothing = { sellers: 0, properties: 0, sales: 0, cents: 0, adminFeesCents: 0 };

  it('count sellers who are not archived and average what they get', async () => {
    const archive = (archived_at: Date | null) => db.q().updateTable('agents').set({ archived_at }).execute();
    await archive(new Date());
    expect(await totals()).toMatchObject({ sellers: 0, averageRate: 0 });
    await createUser(db, 'agent');
    expect(await totals()).toMatchObject({ sellers: 1, averageRate: 80 });
    const { agentId } = await createUser(db, 'agent');
    await db.q().updateTable('agents').set({ commission_rate: 85.5 }).where('id', '=', agentId).execute();
    const two = await totals();
    expect(two.sellers).toBe(2);
    expect(two.averageRate).toBeCloseTo(82.75);
    await archive(null);
  });

  it('tell open pages when the queue of listings changes, once for a transaction', async () => {
    const told = async (work: () => Promise<unknown>) => {
      await db.q().deleteFrom('live_events').execute();
      await work();
      const events = db.q().selectFrom('live_events').select('audience');
      return (await events.where('type', '=', 'listing.queue_changed').execute()).map((one) => one.audience);
    };
    const set = (id: string, values: UpdateObject<DB, 'properties'>) =>
      db.q().updateTable('properties').set(values).where('id', '=', id).execute();
    const { agentId } = await createUser(db, 'agent');
    const submit = () => createListing(db, agentId, { status: 'pending' });
    expect(await told(() => db.tx(async () => [await submit(), await submit()]))).toEqual(['role:admin']);
    const id = await submit();
    expect(await told(() => set(id, { price_cents: 1_000_000 }))).toEqual([]);
    expect(await told(() => set(id, { status: 'Active' }))).toEqual(['role:admin']);
    expect(await told(() => set(id, { changed_since_approval_at: new Date() }))).toEqual(['role:admin']);
    expect(await told(() => set(id, { deleted_at: new Date() }))).toEqual(['role:admin']);
    expect(await told(() => createListing(db, agentId))).toEqual([]);
  });

  it('count properties of every status but not deleted ones, and those that are featured', async () => {
    const before = await totals();
    const [, second] = [await scenario.createListing(), await scenario.createListing()];
    expect(await since(before)).toEqual({ ...nothing, properties: 2 });
    await db.q().updateTable('properties').set({ deleted_at: new Date() }).where('id', '=', second).execute();
    expect(await since(before)).toEqual({ ...nothing, properties: 1 });
    expect((await totals()).featured).toBe(before.featured);
  });

  it('sum up sales once they have closed, less what went back to the buyer', async () => {
    const propertyId = await scenario.createListing();
    const before = await totals();
    const saleId = await scenario.createPaidSale(propertyId);
    const { sale_price_cents: price, admin_fee_cents: fee } = await scenario.sale(saleId);
    expect(await since(before)).toEqual(nothing);
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    expect(await since(before)).toEqual({ ...nothing, sales: 1, cents: price, adminFeesCents: fee });
    await db
      .q()
      .updateTable('property_sales')
      .set({ returned_base_cents: price / 2 })
      .where('id', '=', saleId)
      .execute();
    expect(await since(before)).toMatchObject({ sales: 1, cents: price / 2, adminFeesCents: fee / 2 });
    await db
      .q()
      .updateTable('property_sales')
      .set({ returned_base_cents: 0, stripe_payment_status: 'refunded', payout_status: null })
      .where('id', '=', saleId)
      .execute();
    expect(await since(before)).toEqual(nothing);
  });

  it('show the five newest paid sales, also those that cannot be paid out yet', async () => {
    const paid: string[] = [];
    for (let n = 0; n < 6; n++) {
      scenario.clock.advance(60_000);
      paid.unshift(await scenario.createPaidSale(await scenario.createListing()));
    }
    const found = await payouts();
    expect(found.map(({ saleId }) => saleId)).toEqual(paid.slice(0, 5));
    const { sale_price_cents, agent_commission_cents } = await scenario.sale(paid[0] ?? '');
    expect(found[0]).toMatchObject({
      seller: scenario.seller.name,
      salePriceCents: sale_price_cents,
      rate: 80,
      commissionCents: agent_commission_cents,
      state: { payment: 'completed', escrow: 'in_escrow', payout: null },
    });
  });

  it('count as work what waits: new and changed listings, and tasks that nobody has put off', async () => {
    const work = () => waitingWork(scenario.contextFor(scenario.admin));
    const before = await work();
    const q = db.q();
    const set = (id: string, facts: Partial<{ status: 'pending'; changed_since_approval_at: Date }>) =>
      q.updateTable('properties').set(facts).where('id', '=', id).execute();
    await set(await scenario.createListing(), { status: 'pending' });
    await set(await scenario.createListing(), { changed_since_approval_at: scenario.clock.now() });
    await scenario.createListing();
    const task = (subject: string, snoozed: Date | null) =>
      q
        .insertInto('admin_tasks')
        .values({
          kind: 'jobs_dead',
          subject_type: 'job',
          subject_id: subject,
          severity: 'low',
          snoozed_until: snoozed,
        })
        .execute();
    await task('due', null);
    await task('put off', new Date(scenario.clock.now().getTime() + 60_000));
    await task('back', scenario.clock.now());
    expect(await work()).toEqual({ ...before, approvals: before.approvals + 2, tasks: before.tasks + 2 });
  });

  it('sums up what there is beyond 10,000 as the job found it last', async () => {
    const add = (times: number, rate: number | null) =>
      sql`insert into agents (name, email, commission_rate)
        select 'Seller', gen_random_uuid() || '@example.test', ${rate} from generate_series(1, ${times})`.execute(
        db.q(),
      );
    const shown = async () => {
      const { sellers, averageRate } = await totals();
      return [sellers, averageRate];
    };
    const before = Number(
      (await sql`select from agents where archived_at is null`.execute(db.q())).rows.length,
    );
    await sql`update agents set commission_rate = 90`.execute(db.q());
    await add(10_000 - before, 90);
    await sumUp(scenario.system);
    expect(await shown()).toEqual([10_000, 90]);
    await add(10_000, null);
    // As exact as before while nothing is stored.
    expect(await shown()).toEqual([20_000, 85]);
    await sumUp(scenario.system);
    await add(20_000, 60);
    expect(await shown()).toEqual([20_000, 85]);
    await sumUp(scenario.system);
    expect(await shown()).toEqual([40_000, 72.5]);
    await sql`update agents set archived_at = now() where commission_rate is distinct from 90`.execute(
      db.q(),
    );
    expect(await shown()).toEqual([10_000, 90]);
  });
});
