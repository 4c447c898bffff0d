import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden, NotFound, Unauthenticated } from '#platform/errors.ts';
import {
  contextOf,
  cookieOf,
  freshVisitor,
  mailbox,
  openAccount,
  PASSWORD,
} from '#tests/support/accounts.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
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
    await openAccount(db, 'ann@acre.test');
    await openAccount(db, 'bob@acre.test');
    await openAccount(db, 'admin@acre.test', 'admin');
  });
  afterAll(() => db.close());
  const arrive = async (email: string) => {
    const cookie = await cookieOf(db, email);
    return { cookie, ...(await contextOf(db, cookie)) };
  };
  const isSignedIn = async (cookie: string) => (await contextOf(db, cookie)).ctx.actor.kind === 'user';

  it('are listed with device and address, this one first, and never another person’s', async () => {
    const other = await arrive('ann@acre.test');
    const here = await arrive('ann@acre.test');
    await arrive('bob@acre.test');
    const sessions = await ownSessions(other.ctx, other.sessionId);
    expect(sessions.map(({ id, current }) => ({ id, current }))).toEqual([
      { id: other.sessionId, current: true },
      { id: here.sessionId, current: false },
    ]);
    expect(sessions[0]).toMatchObject({ device: 'Firefox on Windows', ip: expect.stringMatching(/^10\./) });
    await expect(ownSessions(freshVisitor(db), null)).rejects.toThrow(Unauthenticated);
  });

  it('end one by one by their owner alone', async () => {
    const phone = await arrive('ann@acre.test');
    const here = await arrive('ann@acre.test');
    const bob = await arrive('bob@acre.test');
    const sessionId = phone.sessionId ?? '';
    await expect(revokeSession(bob.ctx, { sessionId })).rejects.toThrow(NotFound);
    await expect(revokeSession(freshVisitor(db), { sessionId })).rejects.toThrow(Unauthenticated);
    await expect(revokeSession(here.ctx, { sessionId: "x' or 1=1" })).rejects.toThrow(NotFound);
    expect(await isSignedIn(phone.cookie)).toBe(true);
    await revokeSession(here.ctx, { sessionId });
    expect(await isSignedIn(phone.cookie)).toBe(false);
    expect(await isSignedIn(here.cookie)).toBe(true);
    await expect(revokeSession(here.ctx, { sessionId })).rejects.toThrow(NotFound);
  });

  it('end with signing out, for this browser alone', async () => {
    const phone = await arrive('ann@acre.test');
    const here = await arrive('ann@acre.test');
    const { cookies } = await signOut(here.ctx, { sessionId: here.sessionId });
    expect(cookies).toEqual([
      expect.stringMatching(/^acre\.session_token=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await isSignedIn(here.cookie)).toBe(false);
    expect(await isSignedIn(phone.cookie)).toBe(true);
    const bob = await arrive('bob@acre.test');
    await signOut(bob.ctx, { sessionId: phone.sessionId });
    await signOut(freshVisitor(db), { sessionId: phone.sessionId });
    expect(await isSignedIn(phone.cookie)).toBe(true);
  });

  it('end elsewhere with a changed password', async () => {
    await openAccount(db, 'carol@acre.test');
    const phone = await arrive('carol@acre.test');
    const here = await arrive('carol@acre.test');
    const password = 'Quite-Another-88';
    const change = (current: unknown, next: unknown, confirm: unknown = next) =>
      changePassword(here.ctx, { current, password: next, confirm, currentSessionId: here.sessionId });
    expect(await change('wrong-wrong', password)).toEqual({
      ok: false,
      errors: { current: 'The current password is not right' },
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
    const enter = {
      door: 'buyer',
      email: 'carol@acre.test',
      userAgent: null,
      currentSessionId: null,
    } as const;
    expect(await signIn(freshVisitor(db), { ...enter, password })).toMatchObject({ ok: true });
    expect(await signIn(freshVisitor(db), { ...enter, password: PASSWORD })).toMatchObject({ ok: false });
    const visitorTry = changePassword(freshVisitor(db), {
      current: PASSWORD,
      password,
      confirm: password,
      currentSessionId: null,
    });
    await expect(visitorTry).rejects.toThrow(Unauthenticated);
  });

  it('show the viewer without anything that is not for pages', async () => {
    const { ctx } = await arrive('ann@acre.test');
    expect(Object.keys(viewerOf(ctx) ?? {}).sort()).toEqual([
      'email',
      'emailVerified',
      'id',
      'name',
      'role',
      'suspended',
    ]);
    expect(viewerOf(freshVisitor(db))).toBeNull();
  });

  it('make administrators by administrators and the command line alone', async () => {
    const wish = { email: 'second@acre.test' };
    await expect(createAdmin(freshVisitor(db), wish)).rejects.toThrow(Unauthenticated);
    const buyer = await arrive('ann@acre.test');
    await expect(createAdmin(buyer.ctx, wish)).rejects.toThrow(Forbidden);
    const { ctx } = await arrive('admin@acre.test');
    const made = await createAdmin(ctx, wish);
    expect(made).toMatchObject({ ok: true, oneTimePassword: expect.stringMatching(/^[\w-]{16}$/) });
    expect(await createAdmin(ctx, wish)).toEqual({ ok: false, reason: 'address_taken' });
    expect(await createAdmin(ctx, { email: 'ann@acre.test' })).toEqual({
      ok: false,
      reason: 'address_taken',
    });
    expect(await createAdmin(ctx, { email: 'third@acre.test', password: 'five5' })).toMatchObject({
      errors: { password: 'Password must be at least 6 characters' },
    });
    const system: Ctx = { ...freshVisitor(db), actor: { kind: 'system', name: 'admin:create' } };
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
