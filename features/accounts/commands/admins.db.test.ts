import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { assignTask } from '#features/tasks/commands/assign-task.ts';
import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { takeTask } from '#features/tasks/commands/take-task.ts';
import { resolveSession } from '#platform/auth/session.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createAccount, mailbox, PASSWORD, visitorContext } from '#tests/support/fixtures/accounts.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createUser, giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';
import { adminList } from '../reads.ts';
import { createAdmin } from './create-admin.ts';
import { removeAdmin } from './remove-admin.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { verifyEmail } from './verify-email.ts';

await describeOnDatabase('administrators', (open, kind) => {
  let db: Database;
  let first: UserActor;
  let second: UserActor;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await db.q().updateTable('profiles').set({ role: 'buyer' }).where('role', '=', 'admin').execute();
    first = await createUser(db, 'admin');
    second = await createUser(db, 'admin');
  });
  const as = (actor: UserActor): Ctx =>
    testContext(db, { actor, requestId: `by ${actor.id}`, now: () => new Date() });
  const ids = async (actor: UserActor) => (await adminList(as(actor))).map(({ id }) => id);

  it('see each other, with every address', async () => {
    await giveAuthenticator(db, second.id);
    expect(await adminList(as(second))).toEqual([
      { id: first.id, email: first.email, createdAt: expect.any(Date), hasFactor: false, self: false },
      { id: second.id, email: second.email, createdAt: expect.any(Date), hasFactor: true, self: true },
    ]);
    await expect(adminList(testContext(db))).rejects.toThrow(new Unauthenticated('Not authenticated'));
    await expect(adminList(as(await createUser(db, 'buyer')))).rejects.toThrow(
      new Forbidden('Not authorized'),
    );
  });

  it('remove each other: sessions end at once, the account stays as a buyer’s, its owner is mailed', async () => {
    const cookie = await startSession(db, testConfig, second.id);
    const request = new Request('http://localhost:3000/', { headers: { cookie } });
    const session = async () => (await resolveSession(as(first), request)).actor;
    expect(await session()).toMatchObject({ kind: 'user', role: 'admin' });
    await startSession(db, testConfig, first.id);
    expect(await removeAdmin(as(first), { adminId: second.id })).toEqual({ ok: true, email: second.email });
    expect(await session()).toEqual({ kind: 'visitor' });
    const others = await db.q().selectFrom('sessions').select('id').where('user_id', '=', first.id).execute();
    expect(others).toHaveLength(1);
    expect(await ids(first)).toEqual([first.id]);
    expect((await mailbox(db, second.email)).map(({ subject }) => subject)).toEqual([
      'You are no longer an administrator',
    ]);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['actor_id', 'before', 'after'])
      .where('action', '=', 'admin.remove')
      .where('entity_id', '=', second.id)
      .execute();
    expect(audited).toEqual([{ actor_id: first.id, before: { role: 'admin' }, after: { role: 'buyer' } }]);
    expect(await removeAdmin(as(first), { adminId: second.id })).toEqual({ ok: false, reason: 'gone' });
  });

  it('who are removed leave their open tasks to the others, and keep what they have closed', async () => {
    const system = testContext(db, { actor: { kind: 'system', name: 'test' } });
    const tasks = async () =>
      (
        await db
          .q()
          .selectFrom('admin_tasks')
          .select(['subject_id', 'assignee_id'])
          .orderBy('subject_id')
          .execute()
      ).map(({ subject_id, assignee_id }) => [subject_id, assignee_id]);
    for (const [subjectId, assigneeId] of [
      ['closed', second.id],
      ['open', second.id],
      ['other', first.id],
    ] as const)
      await openTask(system, { kind: 'refund_failed', subjectId, assigneeId });
    await closeTasks(system, { kinds: ['refund_failed'], subjectId: 'closed', resolution: 'It arrived' });
    await removeAdmin(as(first), { adminId: second.id });
    expect(await tasks()).toEqual([
      ['closed', second.id],
      ['open', null],
      ['other', first.id],
    ]);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'task.assign')
      .execute();
    expect(audited).toEqual([{ before: { assignee: second.id }, after: { assignee: null } }]);
  });

  // The embedded database has one connection, so that nothing there waits for another transaction.
  it.skipIf(kind === 'embedded').each(['assigned', 'taken'] as const)(
    'who are being removed get no task that is %s at the same moment',
    async (how) => {
      const system = testContext(db, { actor: { kind: 'system', name: 'test' } });
      await openTask(system, { kind: 'refund_failed', subjectId: how });
      const task = () =>
        db
          .q()
          .selectFrom('admin_tasks')
          .select(['id', 'assignee_id'])
          .where('subject_id', '=', how)
          .executeTakeFirstOrThrow();
      const { id: taskId } = await task();
      // Its tasks have been given up, and it is not committed yet.
      const removal = holdStatement(db, /^insert into "mail_outbox"|^insert into "audit_log"/i);
      const removed = removeAdmin({ ...as(first), db: removal.db }, { adminId: second.id });
      await removal.reached;
      const got =
        how === 'assigned'
          ? assignTask(as(first), { taskId, assigneeId: second.id })
          : takeTask(as(second), { taskId });
      const outcome = got.catch((error: unknown) => error);
      await untilItWaits(db, outcome);
      removal.letGo();
      expect(await removed).toMatchObject({ ok: true });
      if (how === 'assigned') expect(await outcome).toEqual({ ok: false, reason: 'not_an_administrator' });
      else expect(await outcome).toBeInstanceOf(Forbidden);
      expect((await task()).assignee_id).toBeNull();
    },
  );

  it('are made of the address of an account that nobody has confirmed, which whoever opened it loses', async () => {
    const email = 'ada@acre.test';
    await signUp(visitorContext(db), { email, password: PASSWORD, userAgent: null });
    const token = (await mailbox(db, email)).at(-1)?.token ?? '';
    await signUp(visitorContext(db), { email: 'eve@acre.test', password: PASSWORD, userAgent: null });
    const created = await createAdmin(as(first), { email, password: 'Another 44 plumb lines' });
    expect(created).toMatchObject({ ok: true, oneTimePassword: null });
    const userId = created.ok ? created.userId : '';
    expect(await ids(first)).toContain(userId);
    const unconfirmed = db.q().selectFrom('users').select('email').where('email_verified', '=', false);
    expect(await unconfirmed.execute()).toEqual([{ email: 'eve@acre.test' }]);
    expect(await verifyEmail(visitorContext(db), { token, password: PASSWORD })).toMatchObject({
      used: true,
    });
    const attempt = (password: string) =>
      signIn(visitorContext(db), {
        loginRole: 'admin',
        email,
        password,
        userAgent: null,
        currentSessionId: null,
      });
    expect(await attempt(PASSWORD)).toMatchObject({ ok: false, reason: 'wrong_credentials' });
    expect(await attempt('Another 44 plumb lines')).toMatchObject({ ok: true });
    // One whose address was confirmed is its owner's.
    const confirmed = 'confirmed@acre.test';
    await createAccount(db, confirmed);
    expect(await createAdmin(as(first), { email: confirmed })).toEqual({
      ok: false,
      reason: 'address_taken',
    });
    expect(await createAdmin(as(first), { email })).toEqual({ ok: false, reason: 'address_taken' });
  });

  // The embedded database has one connection, on which nothing happens at the same time.
  it.skipIf(kind === 'embedded')('are not made of an account that is being confirmed', async () => {
    const email = 'bea@acre.test';
    await signUp(visitorContext(db), { email, password: PASSWORD, userAgent: null });
    const token = (await mailbox(db, email)).at(-1)?.token ?? '';
    const held = holdStatement(db, /update "users"/);
    const confirming = verifyEmail(visitorContext(held.db), { token, password: PASSWORD });
    await held.reached;
    const creating = createAdmin(as(first), { email });
    await untilItWaits(db, creating);
    held.letGo();
    expect(await confirming).toMatchObject({ ok: true, used: false });
    expect(await creating).toEqual({ ok: false, reason: 'address_taken' });
  });

  it('are never without one, also when two remove each other at the same time', async () => {
    const results = await Promise.allSettled([
      removeAdmin(as(first), { adminId: second.id }),
      removeAdmin(as(second), { adminId: first.id }),
    ]);
    expect(results.filter((one) => one.status === 'fulfilled' && one.value.ok)).toHaveLength(1);
    const left = await db.q().selectFrom('profiles').select('id').where('role', '=', 'admin').execute();
    expect(left).toHaveLength(1);
    const last = left[0]?.id === first.id ? first : second;
    expect(await removeAdmin(as(last), { adminId: last.id })).toEqual({ ok: false, reason: 'last_admin' });
  });

  it('who were removed since their request began add and remove nobody', async () => {
    await removeAdmin(as(first), { adminId: second.id });
    await expect(createAdmin(as(second), { email: 'friend@acre.test' })).rejects.toThrow(Forbidden);
    await expect(removeAdmin(as(second), { adminId: first.id })).rejects.toThrow(Forbidden);
    expect(await ids(first)).toEqual([first.id]);
  });
});
