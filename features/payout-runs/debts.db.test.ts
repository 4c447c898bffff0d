import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { takeBackPayout } from '#features/payouts/commands/take-back-payout.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { runPayoutJobs } from '#tests/support/fixtures/payable-sellers.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { paymentsInTwoModes, type TwoModes } from '#tests/support/fixtures/two-modes.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { declinePayoutRun } from './commands/decide-payout-run.ts';
import { requestPayoutRun } from './commands/request-payout-run.ts';
import { dueSales } from './due-sales.ts';
import { loadPlan } from './load-plan.ts';
import { payoutPlan, payoutRun, runPayouts } from './reads.ts';

type Admin = ReturnType<PayoutScenario['admin']>;

/** 80 % of $742,000.00 */
const SHARE = 593_600_00;

await describeOnDatabase('what sellers owe, in the plans of payouts', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let account: string;
  let modes: TwoModes;
  beforeAll(async () => {
    db = await open();
    const clock = testClock();
    modes = paymentsInTwoModes(db, clock);
    scenario = await createPayoutScenario(db, { clock, providers: modes });
    account = await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  async function released(mode: 'live' | 'test'): Promise<string> {
    modes.live = mode === 'live';
    const saleId = await scenario.releasedSale();
    modes.live = false;
    return saleId;
  }
  /** A test sale whose seller was paid and owes 560,000 dollars of it, which are not taken back yet. */
  async function owing(): Promise<string> {
    const saleId = await released('test');
    await scenario.pay(saleId);
    await db
      .q()
      .updateTable('sandbox_accounts')
      .set({ balance_cents: 0 })
      .where('ref', '=', account)
      .execute();
    await scenario.refund(saleId, 700_000_00);
    return saleId;
  }
  const receivable = async (saleId: string) =>
    (await scenario.saleScenario.accountBalances(saleId)).seller_receivable ?? 0;
  const plan = async (saleIds: string[], ctx = scenario.admin()) => {
    const { payouts } = await loadPlan(ctx, saleIds);
    return payouts.map(({ saleId, amountCents, withheldCents }) => [saleId, amountCents, withheldCents]);
  };
  const request = (
    saleIds: string[],
    expectedTotalCents: number,
    { ctx = scenario.admin(), approverId = null }: { ctx?: Admin; approverId?: string | null } = {},
  ) =>
    requestPayoutRun(ctx, {
      saleIds,
      expectedTotalCents,
      typedTotal: String(expectedTotalCents / 100),
      approverId,
      idempotencyKey: randomUUID(),
    });

  it('settle no debt of test money with real money, nor the other way round', async () => {
    const debt = await owing();
    await scenario.takeBack(debt);
    expect(await receivable(debt)).toBe(560_000_00);
    const [real, test] = [await released('live'), await released('test')];
    // Without a provider both are paid by hand.
    const byHand = { ...scenario.admin(), payouts: payoutsOf([]) };
    expect(await plan([real, test], byHand)).toEqual([
      [real, SHARE, 0],
      [test, 33_600_00, 560_000_00],
    ]);
    const total = SHARE + 33_600_00;
    const asked = await request([real, test], total, { ctx: byHand });
    expect(asked).toMatchObject({ ok: true, count: 2 });
    await runPayoutJobs({ ...scenario.saleScenario.system, payouts: payoutsOf([]) });
    if (asked.ok) expect(await payoutRun(scenario.admin(), asked)).toMatchObject({ started: 2, refused: 0 });
    expect(await receivable(debt)).toBe(0);
    const offsets = await db.q().selectFrom('payout_offsets').selectAll().execute();
    expect(offsets).toEqual([expect.objectContaining({ sale_id: debt, amount_cents: 560_000_00 })]);
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });

  it('are shown to whoever approves a run as to whoever asked for it', async () => {
    const debt = await owing();
    await scenario.takeBack(debt);
    const next = await released('test');
    const colleague = await createUser(db, 'admin');
    const decider = scenario.saleScenario.contextFor({
      ...colleague,
      provedAt: scenario.saleScenario.clock.now(),
    });
    const changed = await changeSetting(decider, { name: 'payout_approval_cents', value: 1 });
    expect(changed).toEqual({ ok: true });
    const { payouts } = await payoutPlan(scenario.admin(), { saleIds: [next] });
    expect(payouts).toMatchObject([{ amountCents: 33_600_00, withheldCents: 560_000_00 }]);
    const asked = await request([next], 33_600_00, { approverId: colleague.id });
    expect(asked).toMatchObject({ ok: true, status: 'awaiting_approval' });
    if (!asked.ok) return;
    expect(await runPayouts(decider, asked)).toEqual(payouts);
    const reason = 'Not today.';
    expect(await declinePayoutRun(decider, { ...asked, reason })).toEqual({ ok: true });
    await changeSetting(decider, { name: 'payout_approval_cents', value: null });
    await scenario.pay(next);
    expect(await receivable(debt)).toBe(0);
  });

  it('reach no minimum with test and real money together', async () => {
    const sales = [await released('live'), await released('test')];
    const due = async (minimumCents: number) => {
      const { saleIds } = await dueSales(scenario.saleScenario.system, { minimumCents, leftSince: null });
      return saleIds;
    };
    expect(await due(SHARE)).toEqual(sales);
    expect(await due(SHARE + 1)).toEqual([]);
  });

  it('leave out what is being taken back, so that a run pays what it has planned', async () => {
    // Its money pays the next one, since that of the refund is not back.
    await released('test');
    const debt = await owing();
    // The provider is not reached: whether the money comes back stays open.
    const stripe = scenario.saleScenario.payouts.forMethod('stripe') as PayoutsPort;
    const unreachable: PayoutsPort = {
      ...stripe,
      reverse: () => Promise.reject(new PaymentError('unavailable', 'The provider is down.')),
    };
    await expect(
      takeBackPayout(
        { ...scenario.saleScenario.system, payouts: payoutsOf([unreachable]) },
        { saleId: debt },
      ),
    ).rejects.toThrow('The provider is down.');
    const next = await released('test');
    expect(await plan([next])).toEqual([[next, SHARE, 0]]);
    const asked = await request([next], SHARE);
    await runPayoutJobs(scenario.saleScenario.system);
    expect(asked).toMatchObject({ ok: true });
    if (asked.ok) expect(await payoutRun(scenario.admin(), asked)).toMatchObject({ started: 1, refused: 0 });
    expect((await scenario.saleScenario.sale(next)).payout_status).toBe('completed');
    expect(await receivable(debt)).toBe(560_000_00);
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });
});
