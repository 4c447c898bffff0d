import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { processMessages } from '#features/payments/commands/process-messages.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  createSaleScenario,
  failingCall,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { assignTask } from './commands/assign-task.ts';
import { closeTasks } from './commands/close-tasks.ts';
import { followDisputeDeadlines } from './commands/follow-dispute-deadlines.ts';
import { openTask } from './commands/open-task.ts';
import { resolveTask } from './commands/resolve-task.ts';
import type { Task } from './model.ts';
import { taskList } from './reads.ts';

await describeOnDatabase("the administrators' tasks", (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.q().deleteFrom('admin_tasks').execute();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const tasks = async (state: 'open' | 'closed' = 'open', page = 1): Promise<Task[]> =>
    (await taskList(scenario.contextFor(scenario.admin), { state, page })).tasks;
  const kinds = async (state: 'open' | 'closed' = 'open') => (await tasks(state)).map(({ kind }) => kind);

  it('open once for a subject, and again only after they were closed', async () => {
    const task = { kind: 'refund_failed', subjectId: 'one' } as const;
    expect(await openTask(scenario.system, { ...task, detail: 'First' })).toBe(true);
    expect(await openTask(scenario.system, { ...task, detail: 'Second' })).toBe(false);
    expect(await tasks()).toMatchObject([{ title: 'A refund failed', detail: 'Second', closedAt: null }]);
    await closeTasks(scenario.system, {
      kinds: ['refund_failed'],
      subjectId: 'one',
      resolution: 'It arrived',
    });
    expect(await tasks()).toEqual([]);
    expect(await tasks('closed')).toMatchObject([{ resolution: 'It arrived', closedBy: null }]);
    expect(await openTask(scenario.system, task)).toBe(true);
  });

  it('closed while more comes in are opened anew for that', async () => {
    const task = { kind: 'refund_failed', subjectId: 'one' } as const;
    await openTask(scenario.system, { ...task, detail: 'First' });
    let closed = false;
    const closing = databaseWithInterceptor(db, (run) => async (text, values) => {
      const result = await run(text, values);
      if (/^insert into "admin_tasks"/.test(text) && !closed) {
        closed = true;
        await run("update admin_tasks set closed_at = now(), resolution = 'It arrived'");
      }
      return result;
    });
    expect(await openTask({ ...scenario.system, db: closing }, { ...task, detail: 'Second' })).toBe(true);
    expect(await tasks()).toMatchObject([{ detail: 'Second' }]);
    expect(await tasks('closed')).toMatchObject([{ detail: 'First' }]);
  });

  it('opened at once by several processes are one', async () => {
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => openTask(scenario.system, { kind: 'message_dead', subjectId: '7' })),
    );
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(await tasks()).toHaveLength(1);
  });

  it('are listed by severity and age, by pages', async () => {
    for (const [kind, subjectId] of [
      ['payment_too_late', 'low'],
      ['refund_failed', 'high'],
      ['dispute_lost', 'critical'],
    ] as const) {
      await openTask(scenario.system, { kind, subjectId });
      scenario.clock.advance(HOUR);
      await openTask(scenario.system, { kind, subjectId: `${subjectId}, later` });
    }
    expect((await tasks()).map(({ subjectId }) => subjectId)).toEqual([
      'critical',
      'critical, later',
      'high',
      'high, later',
      'low',
      'low, later',
    ]);
    for (let n = 0; n < 50; n++)
      await openTask(scenario.system, { kind: 'payment_too_late', subjectId: `sale ${n}` });
    const second = await taskList(scenario.contextFor(scenario.admin), { state: 'open', page: 2 });
    expect([second.tasks.length, second.total]).toEqual([6, 56]);
    // Whoever closed the last tasks of a page that is gone reads what is left.
    expect(await taskList(scenario.contextFor(scenario.admin), { state: 'open', page: 3 })).toMatchObject({
      tasks: second.tasks,
      page: 2,
      pages: 2,
    });
  });

  it('are mailed to every administrator once, except what can wait', async () => {
    const other = await createUser(db, 'admin');
    await openTask(scenario.system, {
      kind: 'payment_mismatch',
      subjectId: 'a',
      detail: 'One cent is missing.',
    });
    await openTask(scenario.system, { kind: 'payment_mismatch', subjectId: 'a' });
    await openTask(scenario.system, { kind: 'payment_too_late', subjectId: 'a' });
    for (const { email } of [scenario.admin, other])
      expect(await scenario.mailsTo(email)).toEqual(['Urgent: A payment differs from the amount due']);
    expect(await scenario.mailsTo(scenario.buyer.email)).toEqual([]);
  });

  it('are assigned to administrators and resolved with a note, each change audited', async () => {
    await openTask(scenario.system, { kind: 'dispute_lost', subjectId: 'a' });
    const [task] = await tasks();
    const taskId = task?.id ?? '';
    const shown = task?.detailMark ?? '';
    const ctx = scenario.contextFor(scenario.admin);
    expect(await assignTask(ctx, { taskId, assigneeId: scenario.buyer.id })).toEqual({
      ok: false,
      reason: 'not_an_administrator',
    });
    expect(await assignTask(ctx, { taskId, assigneeId: 'nobody' })).toMatchObject({ ok: false });
    expect(await assignTask(ctx, { taskId, assigneeId: scenario.admin.id })).toEqual({ ok: true });
    expect(await tasks()).toMatchObject([{ assignee: { id: scenario.admin.id } }]);
    await expect(resolveTask(ctx, { taskId, resolution: ' \n ', shown })).resolves.toEqual({
      ok: false,
      reason: 'no_resolution',
    });
    const unknown = { taskId: crypto.randomUUID(), resolution: 'Done', shown };
    await expect(resolveTask(ctx, unknown)).rejects.toThrow('Task not found');
    expect(await resolveTask(ctx, { taskId, resolution: ' Talked to both. ', shown })).toEqual({ ok: true });
    expect(await resolveTask(ctx, { taskId, resolution: 'Again', shown })).toMatchObject({
      ok: false,
      reason: 'closed',
    });
    expect(await assignTask(ctx, { taskId, assigneeId: null })).toMatchObject({
      ok: false,
      reason: 'closed',
    });
    expect(await tasks('closed')).toMatchObject([
      { resolution: 'Talked to both.', closedAt: expect.any(String) },
    ]);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('entity_id', '=', taskId)
      .orderBy('id')
      .execute();
    expect(audited).toEqual([
      { action: 'task.assign', actor_id: scenario.admin.id },
      { action: 'task.resolve', actor_id: scenario.admin.id },
    ]);
  });

  it('follow a sale: a problem, a dispute won, a dispute lost', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.');
    expect(await tasks()).toMatchObject([
      { kind: 'problem_reported', subjectType: 'sale', subjectId: saleId, detail: 'The roof leaks.' },
    ]);
    await scenario.act(scenario.admin, saleId, 'resolve_problem');
    expect(await kinds()).toEqual([]);
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'And the cellar.');
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    expect((await kinds()).sort()).toEqual(['dispute_opened', 'problem_reported']);
    await closeSandboxDispute(db, ref, 'lost', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await kinds()).toEqual(['dispute_lost']);
    expect(await tasks('closed')).toHaveLength(3);
  });

  it('tell the pages that show them once of a deadline that has moved', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    const [task] = await tasks();
    const changes = async () =>
      (
        await db.q().selectFrom('live_events').select('payload').where('type', '=', 'task.changed').execute()
      ).filter(({ payload }) => (payload as { task?: string }).task === task?.id).length;
    const before = await changes();
    const due = new Date(scenario.clock.now().getTime() + 3 * DAY);
    await db
      .q()
      .updateTable('disputes')
      .set({ evidence_due_at: due })
      .where('sale_id', '=', saleId)
      .execute();
    for (let twice = 0; twice < 2; twice++) await followDisputeDeadlines(scenario.system, { saleId });
    expect((await tasks())[0]?.dueAt).toBe(due.toISOString());
    expect(await changes()).toBe(before + 1);
    await closeSandboxDispute(db, ref, 'lost', scenario.clock.now());
    await scenario.sync(saleId);
  });

  it('follow a payment: another amount than asked for, and too late', async () => {
    const wrong = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(wrong.ref, 'pay');
    const state = await scenario.payments.forMethod('card').getCheckout(wrong.ref);
    await scenario.apply(wrong.saleId, { ...state, amountCents: state.amountCents - 1 });
    expect(await tasks()).toMatchObject([
      { kind: 'payment_mismatch', severity: 'critical', detail: expect.stringContaining('the amount') },
    ]);
    const late = await scenario.createPaidSale();
    await scenario.act(scenario.admin, late, 'cancel_sale');
    const port = scenario.payments.forMethod('card');
    const silent = paymentsOf({
      ...port,
      refund: failingCall('unavailable'),
      getCheckout: failingCall('unavailable'),
    });
    scenario.clock.advance(15 * DAY);
    await sweepSales({ ...scenario.system, payments: silent });
    expect(await kinds()).toEqual(['payment_mismatch']);
    scenario.clock.advance(2 * DAY);
    await sweepSales({ ...scenario.system, payments: silent });
    await sweepSales({ ...scenario.system, payments: silent });
    expect(await kinds()).toEqual(['payment_mismatch', 'refund_overdue']);
    await scenario.settle();
    scenario.clock.advance(HOUR);
    await scenario.settle();
    expect(await scenario.state(late)).toBe('refunded/cancelled/');
    expect(await kinds()).toEqual(['payment_mismatch']);
  });

  it('name a provider message that could not be processed', async () => {
    const { ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const { id } = await db
      .q()
      .insertInto('provider_events')
      .values({
        provider: 'sandbox-card',
        event_id: `evt_${ref}`,
        event_type: 'checkout.session.completed',
        payload: '{}',
        ref,
        received_at: scenario.clock.now(),
        next_attempt_at: scenario.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const port = scenario.payments.forMethod('card');
    const ctx = {
      ...scenario.system,
      payments: paymentsOf({ ...port, getCheckout: failingCall('unavailable') }),
    };
    for (let attempt = 0; attempt < 10; attempt++) {
      await processMessages(ctx);
      scenario.clock.advance(3 * HOUR);
    }
    expect(await tasks()).toMatchObject([
      {
        kind: 'message_dead',
        subjectType: 'provider_event',
        subjectId: String(id),
        detail: 'Broken for the test',
      },
    ]);
  });
});
