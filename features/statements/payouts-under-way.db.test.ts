import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { openEntries } from './open-entries.ts';

await describeOnDatabase('a payout on a statement', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  it('is expected until the money is in the bank, also when the provider has carried it out; then it is paid', async () => {
    const { saleScenario } = scenario;
    const payoutId = await scenario.pay(await scenario.releasedSale());
    const payout = async () => {
      const agentId = saleScenario.seller.agentId ?? '';
      const entries = await openEntries(saleScenario.system, { agentId, until: null });
      return entries.flatMap((entry) => entry.payout ?? [])[0];
    };
    const { status, arrives_at, settled_at } = await db
      .q()
      .selectFrom('payouts')
      .selectAll()
      .where('id', '=', payoutId)
      .executeTakeFirstOrThrow();
    expect([status, arrives_at]).toEqual(['completed', expect.any(Date)]);
    expect(await payout()).toMatchObject({ expectedAt: arrives_at, paidAt: null });
    saleScenario.clock.advance(30 * DAY);
    expect(await payout()).toMatchObject({ expectedAt: null, paidAt: settled_at });
  });
});
