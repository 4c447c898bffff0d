import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden, NotFound, TooManyRequests, Unauthenticated } from '#platform/errors.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import {
  contextForCookie,
  createAccount,
  mailbox,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { ownSessions, viewerOf } from '../reads.ts';
import { changePassword } from './change-password.ts';
import { createAdmin } from './create-admin.ts';
import { revokeSession } from './revoke-session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

await describeOnEachDatabase('own sessions', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await createAccount(db, 'ann@acre.test');
    await createAccount(db, 'bob@acre.test');
    await createAccount(db, 'admin@acre.test', 'admin');
  });
  afterAll(() => db.close());
  const openSession = async (email: string) => {
    const cookie = await signInCookie(db, email);
    return { cookie, ...(await contextForCookie(db, cookie)) };
  };
  const isSignedIn = async (cookie: string) => (await contextForCookie(db, cookie)).ctx.actor.kind === 'user';

  const auditOf = (actorId: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'entity', 'entity_id'])
      .where('actor_id', '=', actorId)
      .where('action', 'in', ['session.revoke', 'password.change'])
      .execute();

  it('are listed with device and IP address, the current one first, and never another user’s', async () => {
    const other = await openSession('ann@acre.test');
    const here = await openSession('ann@acre.test');
    await openSession('bob@acre.test');
    const sessions = await ownSessions(other.ctx, other.sessionId);
    expect(sessions.map(({ id, current }) => ({ id, current }))).toEqual([
      { id: other.sessionId, current: true },
      { id: here.sessionId, current: false },
    ]);
    expect(sessions[0]).toMatchObject({ device: 'Firefox on Windows', ip: expect.stringMatching(/^10\./) });
    await expect(ownSessions(visitorContext(db), null)).rejects.toThrow(Unauthenticated);
  });

  it('can be ended one by one, only by their owner', async () => {
    const phone = await openSession('ann@acre.test');
    const here = await openSession('ann@acre.test');
    const bob = await openSession('bob@acre.test');
    const sessionId = phone.sessionId ?? '';
    await expect(revokeSession(bob.ctx, { sessionId })).rejects.toThrow(NotFound);
    await expect(revokeSession(visitorContext(db), { sessionId })).rejects.toThrow(Unauthenticated);
    await expect(revokeSession(here.ctx, { sessionId: "x' or 1=1" })).rejects.toThrow(NotFound);
    expect(await isSignedIn(phone.cookie)).toBe(true);
    await revokeSession(here.ctx, { sessionId });
    expect(await isSignedIn(phone.cookie)).toBe(false);
    expect(await isSignedIn(here.cookie)).toBe(true);
    await expect(revokeSession(here.ctx, { sessionId })).rejects.toThrow(NotFound);
    const { actor } = here.ctx;
    expect(await auditOf(actor.kind === 'user' ? actor.id : '')).toEqual([
      { action: 'session.revoke', entity: 'session', entity_id: sessionId },
    ]);
  });

  it('end on signing out, for this browser only', async () => {
    const phone = await openSession('ann@acre.test');
    const here = await openSession('ann@acre.test');
    const { cookies } = await signOut(here.ctx, { sessionId: here.sessionId });
    expect(cookies).toEqual([
      expect.stringMatching(/^acre\.session_token=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await isSignedIn(here.cookie)).toBe(false);
    expect(await isSignedIn(phone.cookie)).toBe(true);
    const bob = await openSession('bob@acre.test');
    await signOut(bob.ctx, { sessionId: phone.sessionId });
    await signOut(visitorContext(db), { sessionId: phone.sessionId });
    expect(await isSignedIn(phone.cookie)).toBe(true);
  });

  it('end elsewhere when the password is changed', async () => {
    const id = await createAccount(db, 'carol@acre.test');
    const phone = await openSession('carol@acre.test');
    const here = await openSession('carol@acre.test');
    const password = 'Quite-Another-88';
    const change = (current: unknown, next: unknown, confirm: unknown = next) =>
      changePassword(here.ctx, { current, password: next, confirm, currentSessionId: here.sessionId });
    expect(await change('wrong-wrong', password)).toEqual({
      ok: false,
      errors: { current: 'The current password is incorrect' },
    });
    expect(await change(PASSWORD, 'short')).toMatchObject({
      errors: { password: 'Password must be at least 8 characters' },
    });
    expect(await change(PASSWORD, password, 'other')).toMatchObject({
      errors: { confirm: 'Passwords do not match' },
    });
    expect(await isSignedIn(phone.cookie)).toBe(true);
    expect(await change(PASSWORD, password)).toEqual({ ok: true });
    expect(await isSignedIn(phone.cookie)).toBe(false);
    expect(await isSignedIn(here.cookie)).toBe(true);
    expect((await mailbox(db, 'carol@acre.test')).at(-1)?.subject).toBe('Your password was changed');
    expect(await auditOf(id)).toEqual([{ action: 'password.change', entity: 'user', entity_id: id }]);
    const credentials = {
      loginRole: 'buyer',
      email: 'carol@acre.test',
      userAgent: null,
      currentSessionId: null,
    } as const;
    expect(await signIn(visitorContext(db), { ...credentials, password })).toMatchObject({ ok: true });
    expect(await signIn(visitorContext(db), { ...credentials, password: PASSWORD })).toMatchObject({
      ok: false,
    });
    const visitorTry = changePassword(visitorContext(db), {
      current: PASSWORD,
      password,
      confirm: password,
      currentSessionId: null,
    });
    await expect(visitorTry).rejects.toThrow(Unauthenticated);
  });

  it('and those of other users stay, like what they have to do, when the password is changed', async () => {
    await createAccount(db, 'dora@acre.test');
    const here = await openSession('dora@acre.test');
    const bob = await openSession('bob@acre.test');
    const mustChange = async (value?: boolean) => {
      const { actor } = bob.ctx;
      const profile = db
        .q()
        .updateTable('profiles')
        .where('id', '=', actor.kind === 'user' ? actor.id : '');
      const { must_change_password } = await profile
        .set((column) => ({ must_change_password: value ?? column.ref('must_change_password') }))
        .returning('must_change_password')
        .executeTakeFirstOrThrow();
      return must_change_password;
    };
    await mustChange(true);
    const password = 'Quite-Another-88';
    const form = { current: PASSWORD, password, confirm: password };
    expect(await changePassword(here.ctx, { ...form, currentSessionId: null })).toEqual({ ok: true });
    expect(await mustChange()).toBe(true);
    await mustChange(false);
    expect(await isSignedIn(here.cookie)).toBe(false);
    expect(await isSignedIn(bob.cookie)).toBe(true);
  });

  it('allow five attempts at the current password in a quarter of an hour', async () => {
    await createAccount(db, 'eve@acre.test');
    const { ctx, sessionId } = await openSession('eve@acre.test');
    const now = ctx.now();
    const guess = () =>
      changePassword(
        { ...ctx, now: () => now },
        {
          current: 'a guess',
          password: 'Quite-Another-88',
          confirm: 'Quite-Another-88',
          currentSessionId: sessionId,
        },
      );
    for (let count = 0; count < 5; count += 1) expect(await guess()).toMatchObject({ ok: false });
    expect(await guess().catch((error: unknown) => error)).toBeInstanceOf(TooManyRequests);
  });

  it('expose only the fields of the viewer that pages may show', async () => {
    const { ctx } = await openSession('ann@acre.test');
    expect(Object.keys(viewerOf(ctx) ?? {}).sort()).toEqual([
      'email',
      'emailVerified',
      'id',
      'name',
      'role',
      'suspended',
    ]);
    expect(viewerOf(visitorContext(db))).toBeNull();
  });

  it('create administrators only for administrators and the command line', async () => {
    const input = { email: 'second@acre.test' };
    await expect(createAdmin(visitorContext(db), input)).rejects.toThrow(Unauthenticated);
    const buyer = await openSession('ann@acre.test');
    await expect(createAdmin(buyer.ctx, input)).rejects.toThrow(Forbidden);
    const { cookie } = await openSession('admin@acre.test');
    const before = await contextForCookie(db, cookie);
    await expect(createAdmin(before.ctx, input)).rejects.toThrow(Forbidden);
    await giveAuthenticator(db, before.ctx.actor.kind === 'user' ? before.ctx.actor.id : '');
    const { ctx } = await contextForCookie(db, cookie);
    const made = await createAdmin(ctx, input);
    expect(made).toMatchObject({ ok: true, oneTimePassword: expect.stringMatching(/^[\w-]{16}$/) });
    expect(await createAdmin(ctx, input)).toEqual({ ok: false, reason: 'address_taken' });
    expect(await createAdmin(ctx, { email: 'ann@acre.test' })).toEqual({
      ok: false,
      reason: 'address_taken',
    });
    expect(await createAdmin(ctx, { email: 'third@acre.test', password: 'five5' })).toMatchObject({
      errors: { password: 'Password must be at least 6 characters' },
    });
    const system: Ctx = { ...visitorContext(db), actor: { kind: 'system', name: 'admin:create' } };
    expect(await createAdmin(system, { email: 'nonsense' })).toMatchObject({
      errors: { email: 'Invalid email address' },
    });
    const roles = await db
      .q()
      .selectFrom('profiles')
      .select('role')
      .where('id', '=', made.ok ? made.userId : '')
      .execute();
    expect(roles).toEqual([{ role: 'admin' }]);
    expect(JSON.stringify(await mailbox(db, 'second@acre.test'))).not.toContain(
      made.ok ? made.oneTimePassword : '',
    );
  });
});
