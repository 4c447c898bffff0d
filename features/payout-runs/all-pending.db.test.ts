import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { requestPayoutRun } from './commands/request-payout-run.ts';
import { PAYOUTS_PAGE_SIZE } from './lists.ts';
import { pendingSorts } from './model.ts';
import { allPendingIds, pendingPayouts, sumOfAllPending } from './reads.ts';

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

  /** One more than a page has. */
  async function fillPage(): Promise<void> {
    while ((await allPendingIds(scenario.admin())).length <= PAYOUTS_PAGE_SIZE) await scenario.releasedSale();
  }

  it('are summed up beyond the page, as they are selected together', async () => {
    await scenario.releasedSale();
    expect(await pendingPayouts(scenario.admin())).toMatchObject({ pages: 1 });
    expect(await sumOfAllPending(scenario.admin())).toBe(SHARE);
    await fillPage();
    const count = (await allPendingIds(scenario.admin())).length;
    expect(count).toBe(PAYOUTS_PAGE_SIZE + 1);
    for (const page of [1, 2])
      expect(await pendingPayouts(scenario.admin(), { page })).toMatchObject({
        pages: 2,
        selectable: { count, more: false },
      });
    for (const by of pendingSorts)
      expect(await sumOfAllPending(scenario.admin(), { sort: { by, descending: true } })).toBe(count * SHARE);
  });

  it('leave out what is in a run already', async () => {
    await fillPage();
    const saleIds = await allPendingIds(scenario.admin());
    const inRun = saleIds.slice(0, 2);
    const colleague = await createUser(db, 'admin');
    const decider = scenario.saleScenario.contextFor({
      ...colleague,
      provedAt: scenario.saleScenario.clock.now(),
    });
    await changeSetting(decider, { name: 'payout_approval_cents', value: 1 });
    const asked = await requestPayoutRun(scenario.admin(), {
      saleIds: inRun,
      expectedTotalCents: 2 * SHARE,
      typedTotal: String((2 * SHARE) / 100),
      approverId: colleague.id,
      idempotencyKey: randomUUID(),
    });
    expect(asked).toMatchObject({ ok: true, status: 'awaiting_approval' });
    const rest = saleIds.length - inRun.length;
    expect(await allPendingIds(scenario.admin())).toEqual(saleIds.slice(2));
    const expected = {
      selectable: { count: rest, more: false },
      total: { count: saleIds.length, more: false },
    };
    for (const page of [1, 2])
      expect(await pendingPayouts(scenario.admin(), { page })).toMatchObject(expected);
    expect(await sumOfAllPending(scenario.admin())).toBe(rest * SHARE);
    // Two of the list go: one page is left, on which those of the run still stand.
    for (const id of saleIds.slice(2, 4))
      await db
        .q()
        .updateTable('property_sales')
        .set({ frozen_at: scenario.saleScenario.clock.now() })
        .where('id', '=', id)
        .execute();
    const { rows, ...page } = await pendingPayouts(scenario.admin());
    expect(rows.filter((row) => row.inRun)).toHaveLength(2);
    expect(page).toMatchObject({
      pages: 1,
      selectable: { count: rest - 2, more: false },
    });
    expect(await sumOfAllPending(scenario.admin())).toBe((rest - 2) * SHARE);
  });
});
