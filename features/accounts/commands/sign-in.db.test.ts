import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MINIMUM_DURATION_MS } from '#platform/auth/minimum-duration.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  contextForCookie,
  createAccount,
  mailbox,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { accountLimits } from '../limits.ts';
import { isResetTokenValid } from '../reads.ts';
import { createAdmin } from './create-admin.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resendVerification } from './resend-verification.ts';
import { resetPassword } from './reset-password.ts';
import { type SignInInput, signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';

await describeOnDatabase('signing in', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await createAccount(db, 'buyer@acre.test');
    await createAccount(db, 'seller@acre.test', 'agent');
    await createAccount(db, 'admin@acre.test', 'admin');
  });
  afterAll(() => db.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  const attemptSignIn = (email: unknown, more: Partial<SignInInput> = {}, ctx: Ctx = visitorContext(db)) =>
    signIn(ctx, {
      loginRole: 'buyer',
      email,
      password: PASSWORD,
      userAgent: null,
      currentSessionId: null,
      ...more,
    });
  const sessionCount = async () => (await db.q().selectFrom('sessions').select('id').execute()).length;

  it('sets a session cookie that scripts cannot read and other sites cannot send', async () => {
    const result = await attemptSignIn(' Buyer@Acre.test');
    expect(result).toMatchObject({
      ok: true,
      actor: { role: 'buyer', email: 'buyer@acre.test', agentId: null },
    });
    const [cookie, device, ...others] = result.ok ? result.cookies : [];
    expect(others).toEqual([]);
    expect(device).toMatch(/^acre\.device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(cookie).toMatch(/^acre\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const { ctx } = await contextForCookie(db, cookie?.split(';')[0] ?? '');
    expect(ctx.actor).toMatchObject({ kind: 'user', email: 'buyer@acre.test' });
  });

  it('gives the same result for an unknown address and a wrong password, at the same cost', async () => {
    const wrong = { ok: false, reason: 'wrong_credentials' };
    // CPU time, including threads: unlike elapsed time it does not depend on the load of the machine.
    const cpuTime = async (email: string) => {
      const before = process.cpuUsage();
      expect(await attemptSignIn(email, { password: 'Not-The-Secret-1' })).toEqual(wrong);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await cpuTime('buyer@acre.test');
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      known.push(await cpuTime('buyer@acre.test'));
      unknown.push(await cpuTime(`nobody${round}@acre.test`));
    }
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });

  it.each([
    ['', '', { email: 'Email is required', password: 'Password is required' }],
    [null, { a: 1 }, { email: 'Email is required', password: 'Password is required' }],
    ['nonsense', 'x', { email: 'Invalid email address' }],
  ])('names the invalid fields for %j and %j', async (email, password, errors) => {
    expect(await attemptSignIn(email, { password })).toEqual({ ok: false, reason: 'invalid', errors });
  });

  it('enforces growing waits after five attempts, per account and IP address', async () => {
    const quarter = 15 * MINUTE;
    const start = Math.ceil(Date.now() / quarter) * quarter;
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const ctx = visitorContext(db, { ip: '198.51.100.20' });
    const guess = () => attemptSignIn('victim@acre.test', { password: 'guess-guess' }, ctx);
    const wait = async () => {
      const refused = await guess().catch((error: unknown) => error);
      return refused instanceof TooManyRequests ? refused.retryAfterSeconds : 0;
    };
    for (const minute of [0, 1]) {
      vi.setSystemTime(start + minute * MINUTE);
      for (let count = 0; count < 5; count += 1)
        expect(await guess()).toMatchObject({ reason: 'wrong_credentials' });
      expect(await wait()).toBe(60);
    }
    vi.setSystemTime(start + 2 * MINUTE);
    expect(await wait()).toBe(13 * 60);
    vi.setSystemTime(start + quarter);
    expect(await guess()).toMatchObject({ reason: 'wrong_credentials' });
  });

  it('lets the owner in, however often others fail elsewhere', async () => {
    await createAccount(db, 'owner@acre.test');
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / DAY) * DAY });
    const guess = (ip: string) =>
      attemptSignIn('owner@acre.test', { password: 'guess-guess' }, visitorContext(db, { ip }));
    for (let count = 0; count < 5; count += 1) await guess('198.51.100.30');
    await expect(guess('198.51.100.30')).rejects.toThrow(TooManyRequests);
    const first = await attemptSignIn('owner@acre.test');
    expect(first).toMatchObject({ ok: true });
    const cookie = first.ok ? first.cookies.map((one) => one.split(';')[0]).join('; ') : '';

    // Together they reach the account's own limit, which holds where the owner is not known.
    for (let count = 0; count < 100; count += 1)
      await takeTokens(visitorContext(db), [accountLimits.signInByAccount[1]], 'email:owner@acre.test');
    for (let count = 0; count < 100; count += 1)
      await takeTokens(visitorContext(db), [accountLimits.signInByAccount[0]], 'email:owner@acre.test').catch(
        (error: unknown) => expect(error).toBeInstanceOf(TooManyRequests),
      );
    await expect(attemptSignIn('owner@acre.test')).rejects.toThrow(TooManyRequests);
    expect(await attemptSignIn('owner@acre.test', { cookie })).toMatchObject({ ok: true });
    await createAccount(db, 'other@acre.test');
    const others = await attemptSignIn('other@acre.test');
    const othersCookie = others.ok ? others.cookies.map((one) => one.split(';')[0]).join('; ') : '';
    await expect(attemptSignIn('owner@acre.test', { cookie: othersCookie })).rejects.toThrow(TooManyRequests);

    // A known browser has a limit of its own.
    for (let count = 0; count < 5; count += 1)
      expect(await attemptSignIn('owner@acre.test', { cookie, password: 'guess-guess' })).toMatchObject({
        reason: 'wrong_credentials',
      });
    await expect(attemptSignIn('owner@acre.test', { cookie })).rejects.toThrow(TooManyRequests);
  });

  it('counts every attempt of one IP address across accounts', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    const ctx = visitorContext(db, { ip: '203.0.113.9' });
    for (let count = 1; count < 30; count += 1)
      await takeTokens(ctx, accountLimits.signInByAddress, 'ip:203.0.113.9');
    expect(await attemptSignIn('many30@acre.test', {}, ctx)).toMatchObject({ reason: 'wrong_credentials' });
    await expect(attemptSignIn('many31@acre.test', {}, ctx)).rejects.toThrow(TooManyRequests);
    expect(await attemptSignIn('many31@acre.test')).toMatchObject({ reason: 'wrong_credentials' });
  });

  it('resets the failed attempts after the right password', async () => {
    await createAccount(db, 'forgetful@acre.test');
    for (let round = 0; round < 2; round += 1) {
      for (let count = 0; count < 4; count += 1)
        await attemptSignIn('forgetful@acre.test', { password: 'wrong-wrong' });
      expect(await attemptSignIn('forgetful@acre.test')).toMatchObject({ ok: true });
    }
  });

  describe('login roles', () => {
    it.each([
      ['buyer', 'buyer@acre.test', null],
      ['buyer', 'seller@acre.test', null],
      ['buyer', 'admin@acre.test', null],
      ['agent', 'buyer@acre.test', 'This account does not have seller access'],
      ['agent', 'seller@acre.test', null],
      ['agent', 'admin@acre.test', 'This account does not have seller access'],
      ['admin', 'buyer@acre.test', 'Unauthorized: Admin access only'],
      ['admin', 'seller@acre.test', 'Unauthorized: Admin access only'],
      ['admin', 'admin@acre.test', null],
    ] as const)('at the %s login %s gets the refusal %j', async (loginRole, email, message) => {
      const before = await sessionCount();
      const result = await attemptSignIn(email, { loginRole });
      if (message === null) expect(result).toMatchObject({ ok: true, actor: { email } });
      else expect(result).toMatchObject({ ok: false, reason: 'wrong_login', message });
      expect(await sessionCount()).toBe(before + (message === null ? 1 : 0));
      if (message === null) return;
      expect(await attemptSignIn(email, { loginRole, password: 'wrong-wrong' })).toEqual({
        ok: false,
        reason: 'wrong_credentials',
      });
    });

    it('end the current session when the account is refused', async () => {
      const { ctx, sessionId } = await contextForCookie(db, await signInCookie(db, 'buyer@acre.test'));
      const result = await attemptSignIn(
        'buyer@acre.test',
        { loginRole: 'admin', currentSessionId: sessionId },
        ctx,
      );
      expect(result).toMatchObject({
        ok: false,
        cookies: [expect.stringMatching(/^acre\.session_token=; Max-Age=0/)],
      });
      const rows = await db.q().selectFrom('sessions').select('id').where('id', '=', sessionId).execute();
      expect(rows).toEqual([]);
    });

    it('refuse a seller whose record was archived', async () => {
      const id = await createAccount(db, 'gone@acre.test', 'agent');
      const cookie = await signInCookie(db, 'gone@acre.test', 'agent');
      await db.q().updateTable('agents').set({ archived_at: new Date() }).where('user_id', '=', id).execute();
      for (const loginRole of ['buyer', 'agent'] as const)
        expect(await attemptSignIn('gone@acre.test', { loginRole })).toMatchObject({
          reason: 'wrong_login',
          message: 'This account does not have seller access',
        });
      expect((await contextForCookie(db, cookie)).ctx.actor).toEqual({ kind: 'visitor' });
    });

    it('admit a suspended seller, marked as such', async () => {
      const id = await createAccount(db, 'suspended@acre.test', 'agent');
      await db.q().updateTable('agents').set({ status: 'suspended' }).where('user_id', '=', id).execute();
      expect(await attemptSignIn('suspended@acre.test', { loginRole: 'agent' })).toMatchObject({
        ok: true,
        actor: { suspended: true, agentId: expect.any(String) },
      });
    });
  });

  it('issues a new token at every sign-in and ends the browser’s old session', async () => {
    const planted = await signInCookie(db, 'buyer@acre.test');
    const { ctx, sessionId } = await contextForCookie(db, planted);
    const result = await attemptSignIn('seller@acre.test', { currentSessionId: sessionId }, ctx);
    const fresh = result.ok ? (result.cookies[0]?.split(';')[0] ?? '') : '';
    expect(fresh).not.toBe(planted);
    expect((await contextForCookie(db, fresh)).ctx.actor).toMatchObject({ email: 'seller@acre.test' });
    expect((await contextForCookie(db, planted)).ctx.actor).toEqual({ kind: 'visitor' });
  });

  it('does not end another user’s session', async () => {
    const { sessionId } = await contextForCookie(db, await signInCookie(db, 'seller@acre.test'));
    expect(await attemptSignIn('buyer@acre.test', { currentSessionId: sessionId })).toMatchObject({
      ok: true,
    });
    const rows = await db.q().selectFrom('sessions').select('id').where('id', '=', sessionId).execute();
    expect(rows).toHaveLength(1);
  });

  it('makes a new administrator choose a password before anything else', async () => {
    const system: Ctx = { ...visitorContext(db), actor: { kind: 'system', name: 'test' } };
    const made = await createAdmin(system, { email: 'Chief@acre.test', password: 'six666' });
    expect(made).toMatchObject({ ok: true, oneTimePassword: null });
    const first = await attemptSignIn('chief@acre.test', { loginRole: 'admin', password: 'six666' });
    expect(first).toMatchObject({ ok: false, reason: 'must_change_password' });
    const token = first.ok || first.reason !== 'must_change_password' ? '' : first.token;
    expect(await isResetTokenValid(visitorContext(db), token)).toBe(true);
    const mustChange = { action: 'password.must_change', actor_role: 'admin' };
    expect(await auditOf(made.ok ? made.userId : '')).toEqual([mustChange]);
    const password = 'Level-Eight-Now-8';
    expect(await resetPassword(visitorContext(db), { token, password, confirm: password })).toMatchObject({
      ok: true,
      role: 'admin',
    });
    expect(await attemptSignIn('chief@acre.test', { loginRole: 'admin', password: 'six666' })).toMatchObject({
      reason: 'wrong_credentials',
    });
    expect(await attemptSignIn('chief@acre.test', { loginRole: 'admin', password })).toMatchObject({
      ok: true,
    });
    expect((await mailbox(db, 'chief@acre.test')).map(({ subject }) => subject)).toEqual([
      'You are now an administrator',
      'Your password was changed',
    ]);
  });

  it('refuses an address that is not confirmed, but only to someone who knows the password', async () => {
    const email = 'unconfirmed@acre.test';
    await signUp(visitorContext(db), { email, password: PASSWORD, userAgent: null });
    expect(await attemptSignIn(email)).toEqual({ ok: false, reason: 'email_not_confirmed' });
    expect(await attemptSignIn(email, { password: 'wrong-wrong' })).toEqual({
      ok: false,
      reason: 'wrong_credentials',
    });
  });

  const auditOf = (actorId: string) =>
    db.q().selectFrom('audit_log').select(['action', 'actor_role']).where('actor_id', '=', actorId).execute();

  it('records in the audit log who started a session', async () => {
    const id = await createAccount(db, 'audited@acre.test');
    await signInCookie(db, 'audited@acre.test');
    expect(await auditOf(id)).toEqual([{ action: 'session.start', actor_role: 'buyer' }]);
  });

  it('leaks no account through sign-up or reset: both give the same result in constant time', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * HOUR });
    for (const email of ['buyer@acre.test', 'stranger@acre.test']) {
      const asked = performance.now();
      expect(await requestPasswordReset(visitorContext(db), { email })).toEqual({ ok: true });
      const form = { email, password: 'Yet-Another-77', userAgent: null };
      expect(await signUp(visitorContext(db), form)).toEqual({
        ok: true,
        cookies: [expect.stringMatching(/^acre\.device=[\w-]{43};/)],
      });
      expect(await resendVerification(visitorContext(db), { email })).toEqual({ ok: true });
      expect(performance.now() - asked).toBeGreaterThan(3 * MINIMUM_DURATION_MS - 10);
    }
  });
});
