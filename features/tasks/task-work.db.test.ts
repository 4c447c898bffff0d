import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { addTaskNote } from './commands/add-task-note.ts';
import { assignTask } from './commands/assign-task.ts';
import { closeTasks } from './commands/close-tasks.ts';
import { openTask } from './commands/open-task.ts';
import { resolveTask } from './commands/resolve-task.ts';
import { snoozeTask } from './commands/snooze-task.ts';
import { takeTask } from './commands/take-task.ts';
import { detailMark } from './detail-mark.ts';
import type { TaskListInput } from './reads.ts';
import { taskAssignees, taskDetails, taskList } from './reads.ts';
import { TASK_TEXT_MAX_LENGTH } from './rules.ts';

await describeOnEachDatabase('the work on tasks', (open) => {
  let db: Database;
  let ruth: UserActor;
  let daniel: UserActor;
  let clock: TestClock;
  beforeAll(async () => {
    db = await open();
    ruth = await createUser(db, 'admin');
    daniel = await createUser(db, 'admin');
  });
  beforeEach(async () => {
    await db.q().deleteFrom('admin_tasks').execute();
    clock = testClock();
  });
  afterAll(() => db.close());

  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const system = () => testContext(db, { actor: { kind: 'system', name: 'test' }, now: clock.now });
  const newTask = async (kind: Parameters<typeof openTask>[1]['kind'], subjectId: string, detail = '') => {
    await openTask(system(), { kind, subjectId, detail });
    const { id } = await db
      .q()
      .selectFrom('admin_tasks')
      .select('id')
      .where('subject_id', '=', subjectId)
      .executeTakeFirstOrThrow();
    return id;
  };
  const list = async (input: Partial<TaskListInput> = {}) =>
    (await taskList(as(ruth), { state: 'open', page: 1, ...input })).tasks.map(({ subjectId }) => subjectId);
  const actionsOf = (taskId: string) =>
    db.q().selectFrom('audit_log').select('action').where('entity_id', '=', taskId).orderBy('id').execute();

  it('of two administrators who take one at once, one gets it and the other is told who', async () => {
    const taskId = await newTask('dispute_lost', 'one');
    const answers = await Promise.all([takeTask(as(ruth), { taskId }), takeTask(as(daniel), { taskId })]);
    const { assignee } = (await taskDetails(as(ruth), { taskId })).task;
    expect(answers).toContainEqual({ ok: true });
    expect(answers).toContainEqual({ ok: false, reason: 'taken', by: assignee?.name });
    expect(await actionsOf(taskId)).toEqual([{ action: 'task.take' }]);
  });

  it('one that has a newer explanation is read again by the pages that show it, once', async () => {
    const taskId = await newTask('listing_reported', 'one', '1 report.');
    const events = async () =>
      (
        await db
          .q()
          .selectFrom('live_events')
          .select(['type', 'payload'])
          .where('audience', '=', 'role:admin')
          .orderBy('id')
          .execute()
      ).filter(({ payload }) => (payload as { task?: string }).task === taskId);
    const opened = { type: 'task.opened', payload: { task: taskId } };
    expect(await events()).toEqual([opened]);
    for (let twice = 0; twice < 2; twice++) await newTask('listing_reported', 'one', '2 reports.');
    expect(await events()).toEqual([opened, { type: 'task.changed', payload: { task: taskId } }]);
    expect((await taskDetails(as(ruth), { taskId })).task.detail).toBe('2 reports.');
  });

  it('an assignment that was decided on something old is refused', async () => {
    const taskId = await newTask('dispute_lost', 'one');
    await takeTask(as(daniel), { taskId });
    const late = await assignTask(as(ruth), { taskId, assigneeId: ruth.id, seenAssigneeId: null });
    expect(late).toEqual({ ok: false, reason: 'taken', by: daniel.name });
    const decided = await assignTask(as(ruth), { taskId, assigneeId: ruth.id, seenAssigneeId: daniel.id });
    expect(decided).toEqual({ ok: true });
    await resolveTask(as(ruth), { taskId, resolution: 'Done.', shown: detailMark('') });
    const closed = { ok: false, reason: 'closed', by: ruth.name };
    expect(await takeTask(as(daniel), { taskId })).toEqual(closed);
    expect(await snoozeTask(as(daniel), { taskId, until: new Date(clock.now().getTime() + HOUR) })).toEqual(
      closed,
    );
    expect(
      await resolveTask(as(daniel), { taskId, resolution: 'Also done.', shown: detailMark('') }),
    ).toEqual(closed);
  });

  it('one that has a newer explanation than was shown is not closed, and is once that was read', async () => {
    const taskId = await newTask('listing_reported', 'one', '1 report.');
    const shown = (await taskDetails(as(ruth), { taskId })).task.detailMark;
    await newTask('listing_reported', 'one', '2 reports.');
    const close = (mark: string) => resolveTask(as(ruth), { taskId, resolution: 'Done.', shown: mark });
    expect(await close(shown)).toEqual({ ok: false, reason: 'newer' });
    expect(await close('')).toEqual({ ok: false, reason: 'newer' });
    expect(await list()).toEqual(['one']);
    expect(await close((await taskDetails(as(ruth), { taskId })).task.detailMark)).toEqual({ ok: true });
    // Whoever is too late is told that it is closed, whatever they have read.
    expect(await close(shown)).toEqual({ ok: false, reason: 'closed', by: ruth.name });
  });

  it('a snoozed one is away until its time, and comes back by itself', async () => {
    const taskId = await newTask('dispute_lost', 'one');
    const until = new Date(clock.now().getTime() + 2 * HOUR);
    for (const wrong of [clock.now(), new Date(Number.NaN), new Date(until.getTime() + 90 * DAY)])
      expect(await snoozeTask(as(ruth), { taskId, until: wrong })).toEqual({ ok: false, reason: 'no_time' });
    expect(await snoozeTask(as(ruth), { taskId, until })).toEqual({ ok: true });
    expect([await list(), await list({ state: 'waiting' })]).toEqual([[], ['one']]);
    clock.advance(2 * HOUR);
    expect([await list(), await list({ state: 'waiting' })]).toEqual([['one'], []]);
    await snoozeTask(as(ruth), { taskId, until: new Date(clock.now().getTime() + HOUR) });
    expect(await snoozeTask(as(ruth), { taskId, until: null })).toEqual({ ok: true });
    expect(await list()).toEqual(['one']);
    expect((await actionsOf(taskId)).map(({ action }) => action)).toEqual([
      'task.snooze',
      'task.snooze',
      'task.wake',
    ]);
    // What it is about ends also while it is snoozed.
    await snoozeTask(as(ruth), { taskId, until: new Date(clock.now().getTime() + HOUR) });
    await closeTasks(system(), { kinds: ['dispute_lost'], subjectId: 'one', resolution: 'Over' });
    expect([await list({ state: 'waiting' }), await list({ state: 'closed' })]).toEqual([[], ['one']]);
  });

  it('a snoozed one comes back for news, unless it counts what lasts, and not for what was known', async () => {
    const until = new Date(clock.now().getTime() + 30 * DAY);
    const reported = await newTask('listing_reported', 'one', '1 report.');
    const failed = await newTask('jobs_dead', 'mail.sweep', '1 job failed.');
    for (const taskId of [reported, failed]) await snoozeTask(as(ruth), { taskId, until });
    await newTask('listing_reported', 'one', '1 report.');
    await newTask('jobs_dead', 'mail.sweep', '2 jobs failed.');
    expect(await list()).toEqual([]);
    await newTask('listing_reported', 'one', '2 reports.');
    expect([await list(), await list({ state: 'waiting' })]).toEqual([['one'], ['mail.sweep']]);
    expect((await taskDetails(as(ruth), { taskId: reported })).task.snoozedUntil).toBeNull();
  });

  it('notes are kept with who wrote them, and nobody closes by hand what closes with its cause', async () => {
    const taskId = await newTask('jobs_dead', 'mail.sweep');
    await expect(addTaskNote(as(ruth), { taskId, text: ' \n ' })).resolves.toEqual({
      ok: false,
      reason: 'no_note',
    });
    await expect(taskDetails(as(ruth), { taskId: randomUUID() })).rejects.toThrow('Task not found');
    await addTaskNote(as(ruth), { taskId, text: ' Asked the hoster.\u202e ' });
    clock.advance(HOUR);
    await addTaskNote(as(daniel), { taskId, text: 'They answered.' });
    const { notes, task } = await taskDetails(as(ruth), { taskId });
    expect(notes).toMatchObject([
      { author: ruth.name, text: 'Asked the hoster.' },
      { author: daniel.name, text: 'They answered.', at: clock.now().toISOString() },
    ]);
    expect(task.closes).toBe('It closes when the jobs were run again or dropped.');
    expect(await resolveTask(as(ruth), { taskId, resolution: 'Done', shown: detailMark('') })).toEqual({
      ok: false,
      reason: 'has_cause',
    });
  });

  it('texts that are too long are cut between two characters, so that they are closed and recorded', async () => {
    const long = `${'x'.repeat(TASK_TEXT_MAX_LENGTH - 1)}🏠`;
    const taskId = await newTask('dispute_lost', 'one', long);
    expect(await addTaskNote(as(ruth), { taskId, text: long })).toEqual({ ok: true });
    const { task, notes } = await taskDetails(as(ruth), { taskId });
    expect([task.detail, notes[0]?.text]).toEqual([long.slice(0, -2), long.slice(0, -2)]);
    expect(await resolveTask(as(ruth), { taskId, resolution: long, shown: task.detailMark })).toEqual({
      ok: true,
    });
    expect(await actionsOf(taskId)).toEqual([{ action: 'task.note' }, { action: 'task.resolve' }]);
  });

  it('are found by kind, severity, assignee and words, and sorted', async () => {
    const first = await newTask('dispute_lost', 'b', 'The bank decided for the payer');
    clock.advance(HOUR);
    await newTask('payment_too_late', 'a', 'An old transfer');
    clock.advance(HOUR);
    await newTask('refund_failed', 'c');
    await takeTask(as(daniel), { taskId: first });
    expect(await list()).toEqual(['b', 'c', 'a']);
    expect(await list({ kind: 'refund_failed' })).toEqual(['c']);
    expect(await list({ severity: 'low' })).toEqual(['a']);
    expect(await list({ assignee: daniel.id })).toEqual(['b']);
    expect(await list({ assignee: 'nobody' })).toEqual(['c', 'a']);
    expect(await list({ assignee: 'made up' })).toEqual([]);
    expect(await list({ q: 'BANK decided' })).toEqual(['b']);
    expect(await list({ q: '%' })).toEqual([]);
    const sorted = (by: 'age' | 'kind' | 'severity' | 'assignee' | 'due', descending = false) =>
      list({ sort: { by, descending } });
    expect(await sorted('age')).toEqual(['c', 'a', 'b']);
    expect(await sorted('age', true)).toEqual(['b', 'a', 'c']);
    expect(await sorted('kind')).toEqual(['c', 'a', 'b']);
    expect(await sorted('severity')).toEqual(['a', 'c', 'b']);
    expect(await sorted('assignee', true)).toEqual(['b', 'a', 'c']);
    expect(await sorted('due')).toEqual(['b', 'a', 'c']);
    const everybody = await taskAssignees(as(ruth));
    expect(everybody.find(({ isSelf }) => isSelf)?.id).toBe(ruth.id);
    expect(everybody.map(({ id }) => id).sort()).toEqual([ruth.id, daniel.id].sort());
  });
});
