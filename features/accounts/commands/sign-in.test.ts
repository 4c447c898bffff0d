import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FLOOR_MS } from '#platform/auth/even-time.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { limits, takeTokens } from '#platform/limits.ts';
import {
  contextOf,
  cookieOf,
  freshVisitor,
  mailbox,
  openAccount,
  PASSWORD,
} from '#tests/support/accounts.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { resetTokenWorks } from '../reads.ts';
import { createAdmin } from './create-admin.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resendVerification } from './resend-verification.ts';
import { resetPassword } from './reset-password.ts';
import { type SignInInput, signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';

await describeOnEachDatabase('signing in', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await openAccount(db, 'buyer@acre.test');
    await openAccount(db, 'seller@acre.test', 'agent');
    await openAccount(db, 'admin@acre.test', 'admin');
  });
  afterAll(() => db.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  const enter = (email: unknown, more: Partial<SignInInput> = {}, ctx: Ctx = freshVisitor(db)) =>
    signIn(ctx, {
      door: 'buyer',
      email,
      password: PASSWORD,
      userAgent: null,
      currentSessionId: null,
      ...more,
    });
  const sessionCount = async () => (await db.q().selectFrom('sessions').select('id').execute()).length;

  it('gives a session cookie that scripts cannot read and other sites cannot send', async () => {
    const result = await enter(' Buyer@Acre.test');
    expect(result).toMatchObject({
      ok: true,
      actor: { role: 'buyer', email: 'buyer@acre.test', agentId: null },
    });
    const [cookie, ...others] = result.ok ? result.cookies : [];
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^acre\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const { ctx } = await contextOf(db, cookie?.split(';')[0] ?? '');
    expect(ctx.actor).toMatchObject({ kind: 'user', email: 'buyer@acre.test' });
  });

  it('says the same of an unknown address and a wrong password, and works as hard for it', async () => {
    const wrong = { ok: false, reason: 'wrong_credentials' };
    // Processor time, threads included: unlike the clock it does not depend on what else the machine does.
    const effort = async (email: string) => {
      const before = process.cpuUsage();
      expect(await enter(email, { password: 'Not-The-Secret-1' })).toEqual(wrong);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await effort('buyer@acre.test');
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      known.push(await effort('buyer@acre.test'));
      unknown.push(await effort(`nobody${round}@acre.test`));
    }
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });

  it.each([
    ['', '', { email: 'Email is required', password: 'Password is required' }],
    [null, { a: 1 }, { email: 'Email is required', password: 'Password is required' }],
    ['nonsense', 'x', { email: 'Invalid email address' }],
  ])('asks for what is missing in %j and %j', async (email, password, errors) => {
    expect(await enter(email, { password })).toEqual({ ok: false, reason: 'invalid', errors });
  });

  it('waits longer and longer after five tries, by account wherever they come from', async () => {
    const quarter = 15 * 60_000;
    const start = Math.ceil(Date.now() / quarter) * quarter;
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const guess = () => enter('victim@acre.test', { password: 'guess-guess' });
    const wait = async () => {
      const refused = await guess().catch((error: unknown) => error);
      return refused instanceof TooManyRequests ? refused.retryAfterSeconds : 0;
    };
    for (const minute of [0, 1]) {
      vi.setSystemTime(start + minute * 60_000);
      for (let count = 0; count < 5; count += 1)
        expect(await guess()).toMatchObject({ reason: 'wrong_credentials' });
      expect(await wait()).toBe(60);
    }
    vi.setSystemTime(start + 2 * 60_000);
    expect(await wait()).toBe(13 * 60);
    vi.setSystemTime(start + quarter);
    expect(await guess()).toMatchObject({ reason: 'wrong_credentials' });
  });

  it('counts every try of one address at many accounts', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
    const ctx = freshVisitor(db, { ip: '203.0.113.9' });
    for (let count = 1; count < 30; count += 1)
      await takeTokens(ctx, limits.signInByAddress, 'ip:203.0.113.9');
    expect(await enter('many30@acre.test', {}, ctx)).toMatchObject({ reason: 'wrong_credentials' });
    await expect(enter('many31@acre.test', {}, ctx)).rejects.toThrow(TooManyRequests);
    expect(await enter('many31@acre.test')).toMatchObject({ reason: 'wrong_credentials' });
  });

  it('forgets the wrong tries after the right password', async () => {
    await openAccount(db, 'forgetful@acre.test');
    for (let round = 0; round < 2; round += 1) {
      for (let count = 0; count < 4; count += 1)
        await enter('forgetful@acre.test', { password: 'wrong-wrong' });
      expect(await enter('forgetful@acre.test')).toMatchObject({ ok: true });
    }
  });

  describe('doors', () => {
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
    ] as const)('at the %s door %s meets %j', async (door, email, message) => {
      const before = await sessionCount();
      const result = await enter(email, { door });
      if (message === null) expect(result).toMatchObject({ ok: true, actor: { email } });
      else expect(result).toMatchObject({ ok: false, reason: 'wrong_door', message });
      expect(await sessionCount()).toBe(before + (message === null ? 1 : 0));
      if (message === null) return;
      expect(await enter(email, { door, password: 'wrong-wrong' })).toEqual({
        ok: false,
        reason: 'wrong_credentials',
      });
    });

    it('sign out whoever was signed in when the account may not pass', async () => {
      const { ctx, sessionId } = await contextOf(db, await cookieOf(db, 'buyer@acre.test'));
      const result = await enter('buyer@acre.test', { door: 'admin', currentSessionId: sessionId }, ctx);
      expect(result).toMatchObject({
        ok: false,
        cookies: [expect.stringMatching(/^acre\.session_token=; Max-Age=0/)],
      });
      const rows = await db.q().selectFrom('sessions').select('id').where('id', '=', sessionId).execute();
      expect(rows).toEqual([]);
    });

    it('stay shut for a seller whose record was archived', async () => {
      const id = await openAccount(db, 'gone@acre.test', 'agent');
      const cookie = await cookieOf(db, 'gone@acre.test', 'agent');
      await db.q().updateTable('agents').set({ archived_at: new Date() }).where('user_id', '=', id).execute();
      for (const door of ['buyer', 'agent'] as const)
        expect(await enter('gone@acre.test', { door })).toMatchObject({
          reason: 'wrong_door',
          message: 'This account does not have seller access',
        });
      expect((await contextOf(db, cookie)).ctx.actor).toEqual({ kind: 'visitor' });
    });

    it('let a suspended seller in, marked as such', async () => {
      const id = await openAccount(db, 'suspended@acre.test', 'agent');
      await db.q().updateTable('agents').set({ status: 'suspended' }).where('user_id', '=', id).execute();
      expect(await enter('suspended@acre.test', { door: 'agent' })).toMatchObject({
        ok: true,
        actor: { suspended: true, agentId: expect.any(String) },
      });
    });
  });

  it('takes a new token at every sign-in and ends the browser’s old session', async () => {
    const planted = await cookieOf(db, 'buyer@acre.test');
    const { ctx, sessionId } = await contextOf(db, planted);
    const result = await enter('seller@acre.test', { currentSessionId: sessionId }, ctx);
    const fresh = result.ok ? (result.cookies[0]?.split(';')[0] ?? '') : '';
    expect(fresh).not.toBe(planted);
    expect((await contextOf(db, fresh)).ctx.actor).toMatchObject({ email: 'seller@acre.test' });
    expect((await contextOf(db, planted)).ctx.actor).toEqual({ kind: 'visitor' });
  });

  it('ends no session of somebody else', async () => {
    const { sessionId } = await contextOf(db, await cookieOf(db, 'seller@acre.test'));
    expect(await enter('buyer@acre.test', { currentSessionId: sessionId })).toMatchObject({ ok: true });
    const rows = await db.q().selectFrom('sessions').select('id').where('id', '=', sessionId).execute();
    expect(rows).toHaveLength(1);
  });

  it('asks a new administrator for an own password before anything else', async () => {
    const system: Ctx = { ...freshVisitor(db), actor: { kind: 'system', name: 'test' } };
    const made = await createAdmin(system, { email: 'Chief@acre.test', password: 'six666' });
    expect(made).toMatchObject({ ok: true, oneTimePassword: null });
    const first = await enter('chief@acre.test', { door: 'admin', password: 'six666' });
    expect(first).toMatchObject({ ok: false, reason: 'must_change_password' });
    const token = first.ok || first.reason !== 'must_change_password' ? '' : first.token;
    expect(await resetTokenWorks(freshVisitor(db), token)).toBe(true);
    const password = 'Level-Eight-Now-8';
    expect(await resetPassword(freshVisitor(db), { token, password, confirm: password })).toEqual({
      ok: true,
      role: 'admin',
    });
    expect(await enter('chief@acre.test', { door: 'admin', password: 'six666' })).toMatchObject({
      reason: 'wrong_credentials',
    });
    expect(await enter('chief@acre.test', { door: 'admin', password })).toMatchObject({ ok: true });
    expect((await mailbox(db, 'chief@acre.test')).map(({ subject }) => subject)).toEqual([
      'You are an administrator now',
      'Your password was changed',
    ]);
  });

  it('writes who started and ended a session into the audit log', async () => {
    const id = await openAccount(db, 'audited@acre.test');
    await cookieOf(db, 'audited@acre.test');
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_role'])
      .where('actor_id', '=', id)
      .execute();
    expect(rows).toEqual([{ action: 'session.start', actor_role: 'buyer' }]);
  });

  it('is not helped by sign-up and reset to find out who has an account: they answer alike, in even time', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 3_600_000 });
    for (const email of ['buyer@acre.test', 'stranger@acre.test']) {
      const asked = performance.now();
      expect(await requestPasswordReset(freshVisitor(db), { email })).toEqual({ ok: true });
      const form = { email, password: 'Yet-Another-77', userAgent: null };
      expect(await signUp(freshVisitor(db), form)).toEqual({ ok: true });
      expect(await resendVerification(freshVisitor(db), { email })).toEqual({ ok: true });
      expect(performance.now() - asked).toBeGreaterThan(3 * FLOOR_MS - 10);
    }
  });
});
