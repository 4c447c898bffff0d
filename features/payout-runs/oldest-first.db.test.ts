import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { runPayoutJobs } from '#tests/support/fixtures/payable-sellers.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { requestPayoutRun } from './commands/request-payout-run.ts';
import { allPendingIds, payoutPlan, payoutRun } from './reads.ts';

/** 80 % of $742,000.00 */
const SHARE = 593_600_00;

await describeOnDatabase('the order of a run', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let account: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    account = await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  /** A run of everything that the list shows, in the order of the list. */
  async function payAll() {
    const saleIds = await allPendingIds(scenario.admin());
    const { totalCents } = await payoutPlan(scenario.admin(), { saleIds });
    const asked = await requestPayoutRun(scenario.admin(), {
      saleIds,
      expectedTotalCents: totalCents,
      typedTotal: String(totalCents / 100),
      approverId: null,
      idempotencyKey: randomUUID(),
    });
    if (!asked.ok) throw new Error(asked.reason);
    await runPayoutJobs(scenario.saleScenario.system);
    return payoutRun(scenario.admin(), asked);
  }
  const stateOf = async (saleId: string) => (await scenario.saleScenario.sale(saleId)).payout_status;

  it('pays the oldest sale where the balance does not suffice for all', async () => {
    const sales = [await scenario.releasedSale('crypto'), await scenario.releasedSale('crypto')];
    const [oldest, newest] = sales;
    expect(await allPendingIds(scenario.admin())).toEqual([newest, oldest]);
    const { availableCents = 0 } = (await scenario.saleScenario.payouts.forMethod('stripe')?.balance()) ?? {};
    await scenario.fund('stripe', 2 * SHARE - 1 - availableCents);
    // Balances are asked for anew after a minute.
    scenario.saleScenario.clock.advance(2 * MINUTE);
    const run = await payAll();
    expect(run).toMatchObject({ started: 1, refused: 1, results: [{ saleId: newest }] });
    expect(await Promise.all(sales.map(stateOf))).toEqual(['completed', 'pending']);
    await scenario.fund('stripe', 1);
    scenario.saleScenario.clock.advance(2 * MINUTE);
    await payAll();
    expect(await stateOf(newest ?? '')).toBe('completed');
  });

  it('sets off what the seller owes against the oldest sale', async () => {
    const owing = await scenario.releasedSale();
    await scenario.pay(owing);
    const empty = { balance_cents: 0 };
    await db.q().updateTable('sandbox_accounts').set(empty).where('ref', '=', account).execute();
    await scenario.refund(owing, 100_000_00);
    await scenario.takeBack(owing);
    const [oldest, newest] = [await scenario.releasedSale(), await scenario.releasedSale()];
    const { payouts } = await payoutPlan(scenario.admin(), { saleIds: [newest, oldest] });
    expect(payouts.map(({ saleId, withheldCents }) => [saleId, withheldCents])).toEqual([
      [oldest, 80_000_00],
      [newest, 0],
    ]);
  });
});
