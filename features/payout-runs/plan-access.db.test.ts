import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { Forbidden } from '#platform/errors.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { payoutPlan } from './reads.ts';

await describeOnDatabase('the plan of a run', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  it('is refused to a seller before anything is read of the sales, their own included', async () => {
    const saleId = await scenario.releasedSale();
    const statements: string[] = [];
    const watched = databaseWithInterceptor(db, (run) => (text, values) => {
      statements.push(text);
      return run(text, values);
    });
    const { admin, saleScenario } = scenario;
    expect((await payoutPlan({ ...admin(), db: watched }, { saleIds: [saleId] })).payouts).toHaveLength(1);
    expect(statements).not.toEqual([]);
    statements.length = 0;
    const seller = { ...saleScenario.contextFor(saleScenario.seller), db: watched };
    await expect(payoutPlan(seller, { saleIds: [saleId] })).rejects.toThrow(Forbidden);
    expect(statements).toEqual([]);
  });
});
