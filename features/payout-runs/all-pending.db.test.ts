import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { PAYOUTS_PAGE_SIZE } from './lists.ts';
import { allPendingIds, pendingPayouts } from './reads.ts';

/** 80 % of $742,000.00 */
const SHARE = 593_600_00;

await describeOnDatabase('all pending payouts', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  it('are summed up beyond the page, as they are selected together', async () => {
    await scenario.releasedSale();
    expect(await pendingPayouts(scenario.admin())).toMatchObject({ pages: 1, allCents: SHARE });
    for (let n = 0; n < PAYOUTS_PAGE_SIZE; n++) await scenario.releasedSale();
    const count = (await allPendingIds(scenario.admin())).length;
    expect(count).toBe(PAYOUTS_PAGE_SIZE + 1);
    for (const page of [1, 2])
      expect(await pendingPayouts(scenario.admin(), { page })).toMatchObject({
        pages: 2,
        allCents: count * SHARE,
      });
  });
});
