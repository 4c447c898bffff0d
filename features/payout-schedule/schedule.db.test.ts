import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { approvePayoutRun, declinePayoutRun } from '#features/payout-runs/commands/decide-payout-run.ts';
import { watchRuns } from '#features/payout-runs/commands/watch-runs.ts';
import { payoutRun } from '#features/payout-runs/reads.ts';
import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { connectSeller, releasedSale, runPayoutJobs } from '#tests/support/fixtures/payable-sellers.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { runPayoutSchedule } from './commands/run-schedule.ts';
import { payoutScheduleState } from './reads.ts';

await describeOnEachDatabase('the payout schedule', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let other: UserActor;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    other = await createUser(db, 'agent');
    await connectSeller(scenario, scenario.seller);
    await connectSeller(scenario, other);
    scenario.clock.advance(4 * DAY);
  });
  beforeEach(async () => {
    // What earlier tests left is no longer payable.
    await db
      .q()
      .updateTable('property_sales')
      .set({ frozen_at: scenario.clock.now() })
      .where('payout_status', '=', 'pending')
      .execute();
    await change('payout_approval_cents', null);
    await set('manual');
    await set('daily');
  });
  afterAll(() => db.close());

  const change = async (name: string, value: unknown) =>
    expect(await changeSetting(scenario.contextFor(scenario.admin), { name, value })).toEqual({ ok: true });
  const set = (frequency: string, minimumCents = 0) => change('payout_schedule', { frequency, minimumCents });
  /** Another administrator, who has just proved who they are. */
  async function colleague() {
    const actor = { ...(await createUser(db, 'admin')), provedAt: scenario.clock.now() };
    return { ...scenario.contextFor(actor), actor };
  }
  const run = (ctx = scenario.system) => runPayoutSchedule(ctx);
  /** Lets time pass until it is this hour, UTC, for the nth time. */
  function advanceTo(hour: number, days = 0): void {
    const now = scenario.clock.now();
    const at = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour);
    const next = at > now.getTime() ? at : at + DAY;
    scenario.clock.advance(next + days * DAY - now.getTime());
  }
  /** Sales whose risk hold is over. */
  async function payable(...sellers: [UserActor, number][]): Promise<string[]> {
    const sales: string[] = [];
    for (const [seller, cents] of sellers) sales.push(await releasedSale(scenario, seller, cents));
    scenario.clock.advance(7 * DAY);
    return sales;
  }
  const statusOf = async (saleId: string) => (await scenario.sale(saleId)).payout_status;
  const state = () => payoutScheduleState(scenario.contextFor(scenario.admin));
  const periods = async () =>
    (await db.q().selectFrom('scheduled_payouts').select('period').orderBy('ran_at').execute()).map(
      ({ period }) => period,
    );
  const taskDetail = async (kind: 'payouts_by_hand' | 'scheduled_run_ended' = 'payouts_by_hand') =>
    (
      await db
        .q()
        .selectFrom('admin_tasks')
        .select('detail')
        .where('kind', '=', kind)
        .where('closed_at', 'is', null)
        .executeTakeFirst()
    )?.detail;

  it('pays each seller once in a period, with two servers at once, and again in the next one', async () => {
    const [one = ''] = await payable([scenario.seller, 100_000_00]);
    advanceTo(2);
    const earlier = await periods();
    await Promise.all([run(), run(), run()]);
    await run();
    expect((await periods()).length).toBe(earlier.length + 1);
    await Promise.all([runPayoutJobs(scenario.system), runPayoutJobs(scenario.system)]);
    expect(await statusOf(one)).toBe('completed');
    const payouts = await db.q().selectFrom('payouts').select('run_id').where('sale_id', '=', one).execute();
    const { last } = await state();
    expect(payouts).toEqual([{ run_id: last?.run?.id }]);
    expect(last).toMatchObject({
      run: { origin: 'schedule', status: 'finished', count: 1, totalCents: 80_000_00, started: 1 },
      sellersBelowMinimum: 0,
    });
    advanceTo(2);
    await run();
    expect((await state()).last).toMatchObject({ run: null });
    expect(await checkLedger(scenario.system)).toEqual([]);
  });

  it('leaves sellers who are owed less than the minimum in total, and sales that are held', async () => {
    await set('daily', 1_000_00);
    // Two of 800 are more than the minimum together.
    const [few = '', some = '', more = ''] = await payable(
      [other, 1_000_00],
      [scenario.seller, 1_000_00],
      [scenario.seller, 1_000_00],
    );
    advanceTo(2);
    await run();
    await runPayoutJobs(scenario.system);
    expect(await Promise.all([few, some, more].map(statusOf))).toEqual(['pending', 'completed', 'completed']);
    expect((await state()).last).toMatchObject({ sellersBelowMinimum: 1, run: { count: 2 } });

    await set('daily', 0);
    const held = await releasedSale(scenario, scenario.seller);
    await db
      .q()
      .updateTable('agents')
      .set({ payout_hold_until: new Date(scenario.clock.now().getTime() + 30 * DAY) })
      .where('id', '=', other.agentId)
      .execute();
    advanceTo(2);
    await run();
    expect((await state()).last).toMatchObject({ run: null, sellersBelowMinimum: 0 });
    await db
      .q()
      .updateTable('agents')
      .set({ payout_hold_until: null, status: 'suspended' })
      .where('id', '=', other.agentId)
      .execute();
    scenario.clock.advance(7 * DAY);
    await run();
    await runPayoutJobs(scenario.system);
    expect(await Promise.all([few, held].map(statusOf))).toEqual(['pending', 'completed']);
    await db.q().updateTable('agents').set({ status: 'active' }).where('id', '=', other.agentId).execute();
  });

  it('makes up for the last period alone after a stop, and for none from before it was set', async () => {
    await set('weekly');
    await run();
    const before = (await periods()).length;
    advanceTo(1);
    await set('daily');
    advanceTo(0);
    const [sale = ''] = await payable([scenario.seller, 100_000_00]);
    advanceTo(9, 12);
    await run();
    await run();
    const day = scenario.clock.now().toISOString().slice(0, 10);
    expect((await periods()).slice(before)).toEqual([`daily ${day}`]);
    await runPayoutJobs(scenario.system);
    expect(await statusOf(sale)).toBe('completed');
    // A change of the minimum does not skip a period that has begun.
    advanceTo(3);
    await set('daily', 100_00);
    await run();
    expect((await periods()).length).toBe(before + 2);
    // Another frequency begins with its next period.
    await set('manual');
    await set('daily');
    await run();
    advanceTo(1);
    await run();
    expect((await periods()).length).toBe(before + 2);
    advanceTo(2);
    await run();
    expect((await periods()).length).toBe(before + 3);
  });

  it('repeats no period when the clock jumps back, and makes one when it jumps ahead', async () => {
    for (const _ of [1, 2]) {
      advanceTo(2);
      await run();
    }
    const before = await periods();
    scenario.clock.advance(-HOUR);
    await run();
    scenario.clock.advance(2 * HOUR);
    await run();
    expect(await periods()).toEqual(before);
    scenario.clock.advance(40 * DAY);
    await run();
    await run();
    expect((await periods()).length).toBe(before.length + 1);
  });

  it('waits for an administrator above the threshold, and is not asked for again meanwhile', async () => {
    await change('payout_approval_cents', 80_000_00);
    const [one = '', two = ''] = await payable([scenario.seller, 100_000_00], [other, 50_000_00]);
    advanceTo(2);
    await run();
    await runPayoutJobs(scenario.system);
    const { last } = await state();
    expect(last).toMatchObject({ run: { status: 'awaiting_approval', count: 2, totalCents: 120_000_00 } });
    expect(await statusOf(one)).toBe('pending');
    advanceTo(2);
    await run();
    expect((await state()).last).toMatchObject({ run: null });
    const runId = last?.run?.id ?? '';
    expect(await approvePayoutRun(await colleague(), { runId })).toEqual({ ok: true });
    await runPayoutJobs(scenario.system);
    expect(await Promise.all([one, two].map(statusOf))).toEqual(['completed', 'completed']);
  });

  it('tells all administrators when no one approved it in time, until it runs again', async () => {
    await set('weekly');
    await change('payout_approval_cents', 0);
    const second = await colleague();
    const [sale = ''] = await payable([scenario.seller, 100_000_00]);
    scenario.clock.advance(7 * DAY);
    await run();
    expect((await state()).last).toMatchObject({ run: { status: 'awaiting_approval' } });
    await db.q().deleteFrom('mail_outbox').execute();
    scenario.clock.advance(3 * DAY);
    await watchRuns(scenario.system);
    await run();
    const detail = await taskDetail('scheduled_run_ended');
    expect(detail).toContain('1 payout, $80,000.00 in total. Nothing was sent.');
    expect(detail).toContain('No one approved them within three days.');
    const mails = await db.q().selectFrom('mail_outbox').select(['subject', 'to_address']).execute();
    const recipients = mails.filter(({ subject }) => subject === 'Payouts of the schedule were not approved');
    expect(recipients.map((mail) => mail.to_address)).toEqual(
      expect.arrayContaining([scenario.admin.email, second.actor.email]),
    );
    scenario.clock.advance(7 * DAY);
    await change('payout_approval_cents', null);
    await run();
    expect(await taskDetail('scheduled_run_ended')).toBeUndefined();
    await runPayoutJobs(scenario.system);
    expect(await statusOf(sale)).toBe('completed');
  });

  it('lets nobody approve alone what their frequency has asked for, whoever changes it meanwhile', async () => {
    await change('payout_approval_cents', 80_000_00);
    const [sale = ''] = await payable([scenario.seller, 200_000_00]);
    const second = await colleague();
    await set('instant');
    // Another minimum is not another frequency.
    const minimum = { name: 'payout_schedule', value: { frequency: 'instant', minimumCents: 100_00 } };
    expect(await changeSetting(second, minimum)).toEqual({ ok: true });
    await db.q().deleteFrom('mail_outbox').execute();
    await run();
    const id = (await state()).last?.run?.id ?? '';
    const waiting = await payoutRun(second, { runId: id });
    expect(waiting).toMatchObject({ status: 'awaiting_approval', requestedBy: null });
    expect(waiting.approvers.map((one) => one.id)).toContain(second.actor.id);
    expect(waiting.approvers.map((one) => one.id)).not.toContain(scenario.admin.id);
    const mailed = await db.q().selectFrom('mail_outbox').select('idempotency_key').execute();
    expect(mailed.some(({ idempotency_key: key }) => key.endsWith(second.actor.id))).toBe(true);
    expect(mailed.some(({ idempotency_key: key }) => key.endsWith(scenario.admin.id))).toBe(false);
    // What the colleague sets afterwards does not free whoever had set it before.
    const manual = { name: 'payout_schedule', value: { frequency: 'manual', minimumCents: 0 } };
    expect(await changeSetting(second, manual)).toEqual({ ok: true });
    expect(await approvePayoutRun(scenario.contextFor(scenario.admin), { runId: id })).toEqual({
      ok: false,
      reason: 'own_run',
    });
    await runPayoutJobs(scenario.system);
    expect(await statusOf(sale)).toBe('pending');
    expect(await approvePayoutRun(second, { runId: id })).toEqual({ ok: true });
    await runPayoutJobs(scenario.system);
    expect(await statusOf(sale)).toBe('completed');
  });

  it('pays at once what has become payable, and tries what was left out a day later', async () => {
    await set('instant', 100_00);
    const before = (await periods()).length;
    const sale = await releasedSale(scenario, scenario.seller);
    await run();
    scenario.clock.advance(7 * DAY - MINUTE);
    await run();
    expect((await periods()).length).toBe(before);
    scenario.clock.advance(MINUTE);
    await change('payout_approval_cents', 0);
    await Promise.all([run(), run()]);
    const { last } = await state();
    expect(last).toMatchObject({ run: { status: 'awaiting_approval' } });
    const admin = scenario.contextFor(scenario.admin);
    const declined = await declinePayoutRun(admin, { runId: last?.run?.id ?? '', reason: 'Not now.' });
    expect(declined).toEqual({ ok: true });
    await run();
    const ended = await taskDetail('scheduled_run_ended');
    expect(ended).toContain(`${scenario.admin.name} declined them, for this reason: Not now.`);
    scenario.clock.advance(DAY - MINUTE);
    await run();
    expect((await periods()).length).toBe(before + 1);
    await change('payout_approval_cents', null);
    expect(await taskDetail('scheduled_run_ended')).toBe(ended);
    scenario.clock.advance(2 * MINUTE);
    await run();
    await run();
    await runPayoutJobs(scenario.system);
    expect(await statusOf(sale)).toBe('completed');
    expect((await periods()).length).toBe(before + 2);
    expect(await taskDetail('scheduled_run_ended')).toBeUndefined();
    expect(await checkLedger(scenario.system)).toEqual([]);
  });

  it('says that payouts were not approved also after it has paid others', async () => {
    await set('instant');
    await change('payout_approval_cents', 0);
    const sale = await releasedSale(scenario, scenario.seller);
    scenario.clock.advance(HOUR);
    const later = await releasedSale(scenario, other);
    scenario.clock.advance(7 * DAY - HOUR);
    await run();
    const runId = (await state()).last?.run?.id ?? '';
    const admin = scenario.contextFor(scenario.admin);
    expect(await declinePayoutRun(admin, { runId, reason: 'Not now.' })).toEqual({ ok: true });
    await change('payout_approval_cents', null);
    scenario.clock.advance(HOUR);
    await run();
    await runPayoutJobs(scenario.system);
    expect(await Promise.all([sale, later].map(statusOf))).toEqual(['pending', 'completed']);
    expect(await taskDetail('scheduled_run_ended')).toBeDefined();
    scenario.clock.advance(DAY);
    await run();
    expect(await taskDetail('scheduled_run_ended')).toBeUndefined();
  });

  it('never starts what has to be paid by hand: a task says so until it is processed', async () => {
    const byHand = { ...scenario.system, payouts: payoutsOf([]) };
    const [sale = ''] = await payable([scenario.seller, 100_000_00]);
    advanceTo(2);
    await run(byHand);
    expect(await statusOf(sale)).toBe('pending');
    expect((await state()).last).toMatchObject({ run: null });
    expect(await taskDetail()).toContain('1 payout, $80,000.00 in total.');
    await watchRuns(byHand);
    expect(await taskDetail()).toContain('1 payout');
    await startPayout(
      { ...scenario.contextFor(scenario.admin), payouts: payoutsOf([]) },
      { saleId: sale, runId: null, expectedCents: null },
    );
    await watchRuns(byHand);
    expect(await taskDetail()).toBeUndefined();
  });

  it('does nothing while administrators pay', async () => {
    await set('manual');
    const [sale = ''] = await payable([scenario.seller, 100_000_00]);
    const before = await periods();
    advanceTo(2, 31);
    await run();
    expect(await periods()).toEqual(before);
    expect(await statusOf(sale)).toBe('pending');
    expect((await state()).next).toEqual({ frequency: 'manual', minimumCents: 0, at: null, inWords: null });
  });
});
