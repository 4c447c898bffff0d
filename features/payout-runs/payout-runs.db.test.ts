import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { removeAdmin } from '#features/accounts/commands/remove-admin.ts';
import { checkLedger } from '#features/ledger/reads.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { runPayoutJobs } from '#tests/support/fixtures/payable-sellers.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { approvePayoutRun, declinePayoutRun } from './commands/decide-payout-run.ts';
import { type RunRequest, requestPayoutRun } from './commands/request-payout-run.ts';
import { watchRuns } from './commands/watch-runs.ts';
import { payoutPlan, payoutRun } from './reads.ts';
import { MOST_PAYOUTS } from './rules.ts';

/** 80 % of $742,000.00 */
const SHARE = 593_600_00;

await describeOnDatabase('payout runs of administrators', (open, kind) => {
  let db: Database;
  let scenario: PayoutScenario;
  let account: string;
  let colleague: UserActor;
  let third: UserActor;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    account = await scenario.setUpStripe();
    [colleague, third] = [await createUser(db, 'admin'), await createUser(db, 'admin')];
  });
  beforeEach(async () => {
    await limit(SHARE);
    await db.q().deleteFrom('mail_outbox').execute();
    await db.q().deleteFrom('admin_tasks').execute();
  });
  afterAll(() => db.close());

  const as = (actor: UserActor) =>
    scenario.saleScenario.contextFor({ ...actor, provedAt: scenario.saleScenario.clock.now() });
  const requester = () => scenario.saleScenario.admin;
  const limit = async (cents: number | null) =>
    expect(await changeSetting(as(colleague), { name: 'payout_approval_cents', value: cents })).toEqual({
      ok: true,
    });
  const ask = async (saleIds: string[], change: Partial<RunRequest> = {}) => {
    const { totalCents } = await payoutPlan(scenario.admin(), { saleIds });
    return requestPayoutRun(scenario.admin(), {
      saleIds,
      expectedTotalCents: totalCents,
      typedTotal: dollarsAndCents(totalCents),
      approverId: null,
      idempotencyKey: randomUUID(),
      ...change,
    });
  };
  /** A run of two payouts above the limit, which the colleague was asked to approve. */
  async function waiting(): Promise<{ runId: string; sales: string[] }> {
    const sales = [await scenario.releasedSale(), await scenario.releasedSale()];
    const asked = await ask(sales, { approverId: colleague.id });
    if (!asked.ok) throw new Error(asked.reason);
    return { runId: asked.runId, sales };
  }
  const run = (runId: string) => payoutRun(scenario.admin(), { runId });
  const auditOf = (runId: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'after'])
      .where('entity', '=', 'payout_run')
      .where('entity_id', '=', runId)
      .orderBy('id')
      .execute();
  const statuses = async (sales: string[]) =>
    Promise.all(sales.map(async (id) => (await scenario.saleScenario.sale(id)).payout_status));
  const mails = async (user: UserActor) => {
    const { email } = await db
      .q()
      .selectFrom('users')
      .select('email')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    return scenario.saleScenario.mailsTo(email);
  };
  const openTasks = async () =>
    (
      await db
        .q()
        .selectFrom('admin_tasks')
        .select(['kind', 'assignee_id'])
        .where('closed_at', 'is', null)
        .where('kind', '=', 'payout_run_waiting')
        .execute()
    ).map(({ assignee_id }) => assignee_id);

  it('need nobody else up to the threshold', async () => {
    const sale = await scenario.releasedSale();
    const key = randomUUID();
    const asked = await ask([sale], { idempotencyKey: key });
    expect(asked).toMatchObject({ ok: true, created: true, status: 'running', count: 1 });
    // The same request again is the same run; another one waits until this one is done.
    expect(await ask([sale], { idempotencyKey: key })).toMatchObject({ ok: true, created: false });
    expect(await ask([await scenario.releasedSale()])).toEqual({ ok: false, reason: 'in_progress' });
    await runPayoutJobs(scenario.saleScenario.system);
    expect(await statuses([sale])).toEqual(['completed']);
    expect(await mails(colleague)).toEqual([]);
    if (!asked.ok) throw new Error(asked.reason);
    expect(await run(asked.runId)).toMatchObject({ status: 'finished', started: 1, refused: 0 });
    expect(await auditOf(asked.runId)).toMatchObject([
      { action: 'payout_run.request', actor_id: requester().id, after: { payouts: 1, totalCents: SHARE } },
      { action: 'payout_run.finish', actor_id: null, after: { started: 1, refused: 0 } },
    ]);
  });

  it('above it wait for another administrator, who is asked by email and task, and nobody decides alone', async () => {
    const sales = [await scenario.releasedSale(), await scenario.releasedSale()];
    for (const approverId of [null, requester().id, scenario.saleScenario.seller.id, randomUUID()])
      expect(await ask(sales, { approverId })).toMatchObject({ ok: false, reason: 'approver' });
    const asked = await ask(sales, { approverId: colleague.id });
    expect(asked).toMatchObject({ ok: true, status: 'awaiting_approval', count: 2 });
    if (!asked.ok) throw new Error(asked.reason);
    const { runId } = asked;
    expect(await mails(colleague)).toEqual(['Payouts wait for your approval']);
    expect(await mails(third)).toEqual([]);
    expect(await openTasks()).toEqual([colleague.id]);
    expect(await ask(sales, { approverId: colleague.id })).toMatchObject({
      ok: false,
      reason: 'nothing_payable',
      refused: [{ reason: 'in_run' }, { reason: 'in_run' }],
    });
    await runPayoutJobs(scenario.saleScenario.system);
    expect(await statuses(sales)).toEqual(['pending', 'pending']);
    const own = { ok: false, reason: 'own_run' };
    await expect(approvePayoutRun(scenario.admin(), { runId })).resolves.toEqual(own);
    await expect(declinePayoutRun(scenario.admin(), { runId, reason: 'No.' })).resolves.toEqual(own);
    // Whoever was asked, any other administrator can.
    expect(await approvePayoutRun(as(third), { runId })).toEqual({ ok: true });
    expect(await openTasks()).toEqual([]);
    await runPayoutJobs(scenario.saleScenario.system);
    expect(await statuses(sales)).toEqual(['completed', 'completed']);
    expect(await run(runId)).toMatchObject({ status: 'finished', decidedBy: third.name, started: 2 });
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });

  it('are left to nobody who is no administrator any more', async () => {
    const sales = [await scenario.releasedSale(), await scenario.releasedSale()];
    const former = await createUser(db, 'admin');
    expect(await removeAdmin(as(third), { adminId: former.id })).toMatchObject({ ok: true });
    expect(await ask(sales, { approverId: former.id })).toMatchObject({ ok: false, reason: 'approver' });
    expect(await openTasks()).toEqual([]);
  });

  // The embedded database has one connection, so that nothing there waits for another transaction.
  it.skipIf(kind === 'embedded')('are left to nobody who is being removed at the same moment', async () => {
    const sales = [await scenario.releasedSale(), await scenario.releasedSale()];
    const leaving = await createUser(db, 'admin');
    // The tasks have been given up, and it is not committed yet.
    const removal = holdStatement(db, /^insert into "mail_outbox"|^insert into "audit_log"/i);
    const removed = removeAdmin({ ...as(third), db: removal.db }, { adminId: leaving.id });
    await removal.reached;
    const asked = ask(sales, { approverId: leaving.id });
    await untilItWaits(db, asked);
    removal.letGo();
    expect(await removed).toMatchObject({ ok: true });
    expect(await asked).toMatchObject({ ok: false, reason: 'approver' });
    expect(await openTasks()).toEqual([]);
  });

  it('that are approved and declined at once are one of both', async () => {
    const { runId, sales } = await waiting();
    const [approved, declined] = await Promise.all([
      approvePayoutRun(as(colleague), { runId }),
      declinePayoutRun(as(third), { runId, reason: 'The total looks wrong.' }),
    ]);
    expect([approved, declined].filter(({ ok }) => ok)).toHaveLength(1);
    expect([approved, declined]).toContainEqual({ ok: false, reason: 'not_waiting' });
    await runPayoutJobs(scenario.saleScenario.system);
    const paid = approved.ok ? 'completed' : 'pending';
    expect(await statuses(sales)).toEqual([paid, paid]);
    expect(await run(runId)).toMatchObject({ status: approved.ok ? 'finished' : 'declined' });
  });

  it('that are declined pay nothing and say why to whoever asked for them', async () => {
    const { runId, sales } = await waiting();
    await expect(declinePayoutRun(as(colleague), { runId, reason: ' ' })).resolves.toEqual({
      ok: false,
      reason: 'no_reason',
    });
    expect(await declinePayoutRun(as(colleague), { runId, reason: 'Twice the usual.' })).toEqual({
      ok: true,
    });
    expect(await approvePayoutRun(as(third), { runId })).toEqual({ ok: false, reason: 'not_waiting' });
    expect(await mails(requester())).toEqual(['Your payouts were declined']);
    expect(await statuses(sales)).toEqual(['pending', 'pending']);
    expect((await payoutPlan(scenario.admin(), { saleIds: sales })).payouts).toHaveLength(2);
  });

  it('expire after 72 hours without a decision', async () => {
    const { runId, sales } = await waiting();
    scenario.saleScenario.clock.advance(72 * HOUR - MINUTE);
    await watchRuns(scenario.saleScenario.system);
    expect(await run(runId)).toMatchObject({ status: 'awaiting_approval' });
    scenario.saleScenario.clock.advance(MINUTE);
    // Too late, whether or not the job has run.
    expect(await approvePayoutRun(as(colleague), { runId })).toEqual({ ok: false, reason: 'not_waiting' });
    await watchRuns(scenario.saleScenario.system);
    expect(await run(runId)).toMatchObject({ status: 'expired' });
    expect((await auditOf(runId)).at(-1)).toMatchObject({ action: 'payout_run.expire' });
    expect(await openTasks()).toEqual([]);
    expect(await mails(requester())).toEqual(['Your payouts were not approved in time']);
    await runPayoutJobs(scenario.saleScenario.system);
    expect(await statuses(sales)).toEqual(['pending', 'pending']);
  });

  it('are refused with another total than was shown or typed, and with too many payouts', async () => {
    const sale = await scenario.releasedSale();
    for (const typedTotal of ['', '593', '593,600.01', 'all of it'])
      expect(await ask([sale], { typedTotal })).toMatchObject({ ok: false, reason: 'typed_total' });
    expect(await ask([sale], { expectedTotalCents: SHARE - 1 })).toMatchObject({
      ok: false,
      reason: 'changed',
      plan: { totalCents: SHARE },
    });
    const many = Array.from({ length: MOST_PAYOUTS + 1 }, () => randomUUID());
    expect(await ask(many)).toEqual({ ok: false, reason: 'too_many' });
    expect(await ask([])).toEqual({ ok: false, reason: 'nothing_payable', refused: [] });
    expect(await statuses([sale])).toEqual(['pending']);
  });

  it('set the oldest debts off against the first payouts, as planned', async () => {
    const debt = await scenario.releasedSale();
    await scenario.pay(debt);
    await db
      .q()
      .updateTable('sandbox_accounts')
      .set({ balance_cents: 0 })
      .where('ref', '=', account)
      .execute();
    await scenario.refund(debt, 742_000_00);
    await scenario.takeBack(debt);
    scenario.saleScenario.clock.advance(DAY);
    const sales = [await scenario.releasedSale(), await scenario.releasedSale()];
    const { payouts, totalCents } = await payoutPlan(scenario.admin(), { saleIds: sales });
    expect(payouts).toMatchObject([
      { method: null, amountCents: 0, withheldCents: SHARE },
      { method: 'stripe', amountCents: SHARE, withheldCents: 0 },
    ]);
    expect(totalCents).toBe(SHARE);
    const asked = await ask(sales);
    expect(asked).toMatchObject({ ok: true, status: 'running' });
    await runPayoutJobs(scenario.saleScenario.system);
    if (asked.ok) expect(await run(asked.runId)).toMatchObject({ started: 2, refused: 0 });
    expect(await statuses(sales)).toEqual(['completed', 'completed']);
    expect((await scenario.saleScenario.accountBalances(debt)).seller_receivable).toBeUndefined();
    expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  });
});
