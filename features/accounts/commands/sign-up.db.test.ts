import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  attemptSignIn,
  createAccount,
  mailbox,
  PASSWORD,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { accountLimits } from '../limits.ts';
import { confirmationAsksPassword } from '../reads.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resendVerification } from './resend-verification.ts';
import { resetPassword } from './reset-password.ts';
import { type SignUpResult, signUp } from './sign-up.ts';
import { verifyEmail } from './verify-email.ts';

await describeOnDatabase('signing up', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  // A clock that stands: no window of a limit ends between two calls.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const submitSignUp = (email: unknown, password: unknown = PASSWORD, more: object = {}) =>
    signUp(visitorContext(db), { email, password, userAgent: null, ...more });
  const userOf = (email: string) =>
    db
      .q()
      .selectFrom('users as u')
      .leftJoin('profiles as p', 'p.id', 'u.id')
      .select(['u.id', 'u.name', 'u.email_verified', 'p.role', 'p.user_type'])
      .where('email', '=', email)
      .execute();

  async function audited(email: string): Promise<string[]> {
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity_id', '=', (await userOf(email))[0]?.id ?? '')
      .orderBy('id')
      .execute();
    return rows.map(({ action }) => action);
  }

  it('opens an unconfirmed buyer account and mails the link that confirms it', async () => {
    expect(await submitSignUp('  Ann.Lee@Acre.Test ')).toMatchObject({ ok: true });
    expect(await userOf('ann.lee@acre.test')).toMatchObject([
      { name: 'Ann Lee', email_verified: false, role: 'buyer', user_type: 'buyer' },
    ]);
    const mails = await mailbox(db, 'ann.lee@acre.test');
    expect(mails.map((mail) => mail.subject)).toEqual(['Confirm your email address']);
    expect(mails[0]?.text).toContain('http://localhost:3000/verify-email?token=');
    expect(await attemptSignIn(db, 'ann.lee@acre.test')).toEqual({
      ok: false,
      reason: 'email_not_confirmed',
    });

    expect(
      await verifyEmail(visitorContext(db), { token: mails[0]?.token ?? '', password: PASSWORD }),
    ).toEqual({ ok: true, role: 'buyer', used: false });
    expect(await verifyEmail(visitorContext(db), { token: mails[0]?.token ?? '' })).toEqual({
      ok: true,
      role: 'buyer',
      used: true,
    });
    expect(await attemptSignIn(db, 'ann.lee@acre.test')).toMatchObject({
      ok: true,
      actor: { role: 'buyer' },
    });
    expect(await audited('ann.lee@acre.test')).toEqual(['account.open', 'account.confirm']);
  });

  it('ignores a role or verification flag in the form', async () => {
    const extraFields = {
      role: 'admin',
      user_type: 'admin',
      emailVerified: true,
      email_verified: true,
      id: 'x',
    };
    expect(
      await submitSignUp('mallory@acre.test', PASSWORD, {
        ...extraFields,
        data: extraFields,
        profile: extraFields,
      }),
    ).toMatchObject({ ok: true });
    expect(await userOf('mallory@acre.test')).toMatchObject([{ role: 'buyer', email_verified: false }]);
  });

  it('gives the same result for an address with an account, and mails its owner', async () => {
    await createAccount(db, 'known@acre.test');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    expect(await submitSignUp('KNOWN@acre.test', 'Another-Secret-99')).toMatchObject({ ok: true });
    const mails = await mailbox(db, 'known@acre.test');
    expect(mails.map((mail) => mail.subject)).toEqual([
      'Confirm your email address',
      'You already have an account',
    ]);
    expect(mails[1]?.text).toContain('http://localhost:3000/buyer/login');
    expect(await userOf('known@acre.test')).toHaveLength(1);
    expect(await attemptSignIn(db, 'known@acre.test')).toMatchObject({ ok: true });
    expect(await attemptSignIn(db, 'known@acre.test', 'Another-Secret-99')).toMatchObject({
      reason: 'wrong_credentials',
    });
  });

  it('mails once for a form sent twice, in sequence or concurrently', async () => {
    expect(await submitSignUp('twice@acre.test')).toMatchObject({ ok: true });
    expect(await submitSignUp('twice@acre.test')).toMatchObject({ ok: true });
    expect(await Promise.all([1, 2, 3].map(() => submitSignUp('storm@acre.test')))).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: true },
    ]);
    for (const email of ['twice@acre.test', 'storm@acre.test']) {
      expect(await userOf(email)).toHaveLength(1);
      expect(await mailbox(db, email)).toHaveLength(1);
    }
  });

  describe('with the address of somebody else', () => {
    const cookieOf = (result: SignUpResult) => (result.ok ? result.cookies : [])[0]?.split(';')[0] ?? '';
    const later = (minutes: number) =>
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * MINUTE });
    const lastToken = async (email: string) => (await mailbox(db, email)).at(-1)?.token ?? '';
    const confirm = (token: string, more: { cookie?: string; password?: string } = {}) =>
      verifyEmail(visitorContext(db), { token, ...more });

    it("gives a stranger's password nothing: the owner's own sign-up replaces it", async () => {
      const email = 'claimed@acre.test';
      const stranger = cookieOf(await submitSignUp(email, 'Strangers-Own-1'));
      later(5);
      const owner = cookieOf(await submitSignUp(email, 'Owners-Own-1'));
      expect((await mailbox(db, email)).map(({ subject }) => subject)).toEqual([
        'Confirm your email address',
        'Confirm your email address',
      ]);
      const token = await lastToken(email);
      expect(await confirm(token, { cookie: stranger })).toEqual({ ok: false, reason: 'wrong_password' });
      expect(await confirm(token, { cookie: owner })).toMatchObject({ ok: true, role: 'buyer' });
      expect(await audited(email)).toEqual(['account.open', 'account.open_again', 'account.confirm']);
      expect(await attemptSignIn(db, email, 'Owners-Own-1')).toMatchObject({ ok: true });
      expect(await attemptSignIn(db, email, 'Strangers-Own-1')).toMatchObject({
        reason: 'wrong_credentials',
      });
    });

    it('confirms nothing for an owner who did not choose the password, until a new one is set by mail', async () => {
      const email = 'unaware@acre.test';
      await submitSignUp(email, 'Owners-Own-1');
      later(5);
      await submitSignUp(email, 'Strangers-Own-1');
      const token = await lastToken(email);
      expect(await confirmationAsksPassword(visitorContext(db), { token })).toBe(true);
      for (const more of [{}, { password: '' }, { password: 'Owners-Own-1' }])
        expect(await confirm(token, more)).toEqual({ ok: false, reason: 'wrong_password' });
      expect(await attemptSignIn(db, email, 'Strangers-Own-1')).toMatchObject({
        reason: 'email_not_confirmed',
      });
      await requestPasswordReset(visitorContext(db), { email });
      expect(
        await resetPassword(visitorContext(db), {
          token: await lastToken(email),
          password: 'Owners-Own-2',
          confirm: 'Owners-Own-2',
        }),
      ).toMatchObject({ ok: true, role: 'buyer' });
      expect(await attemptSignIn(db, email, 'Owners-Own-2')).toMatchObject({ ok: true });
      // A sign-up changes nothing about a confirmed account, and its cookie is worth nothing.
      later(10);
      const after = cookieOf(await submitSignUp(email, 'Strangers-Own-1'));
      expect(after).toMatch(/^acre\.device=[\w-]{43}$/);
      expect(await attemptSignIn(db, email, 'Strangers-Own-1')).toMatchObject({
        reason: 'wrong_credentials',
      });
    });

    it('asks no password in the browser in which it was chosen, and few guesses elsewhere', async () => {
      const email = 'here@acre.test';
      const cookie = cookieOf(await submitSignUp(email));
      const token = await lastToken(email);
      expect(await confirmationAsksPassword(visitorContext(db), { token, cookie })).toBe(false);
      const ctx = visitorContext(db, { ip: '198.51.100.50' });
      for (let count = 0; count < 5; count += 1)
        expect(await verifyEmail(ctx, { token, password: 'guess-guess' })).toMatchObject({ ok: false });
      await expect(verifyEmail(ctx, { token, password: PASSWORD })).rejects.toThrow(TooManyRequests);
      expect(await confirm(token, { cookie })).toMatchObject({ ok: true, role: 'buyer' });
    });

    it('confirms nothing when the password was replaced while the link was opened', async () => {
      const email = 'meanwhile@acre.test';
      await submitSignUp(email, 'Owners-Own-1');
      const ctx = visitorContext(db);
      // Between the comparison and the transaction somebody signs up with the address.
      const tx: Database['tx'] = async (work) => {
        await submitSignUp(email, 'Strangers-Own-1');
        return db.tx(work);
      };
      const link = { token: await lastToken(email), password: 'Owners-Own-1' };
      expect(await verifyEmail({ ...ctx, db: { ...db, tx } }, link)).toEqual({
        ok: false,
        reason: 'wrong_password',
      });
      expect(await userOf(email)).toMatchObject([{ email_verified: false }]);
    });

    it.each(['in turn', 'at the same time'])(
      'keeps the cookies of both answers to a form sent twice %s, and gives a stranger none of it',
      async (way) => {
        const email = `${way.replaceAll(' ', '-')}@pressed-twice.test`;
        const first = submitSignUp(email);
        if (way === 'in turn') await first;
        const cookies = (await Promise.all([first, submitSignUp(email), submitSignUp(email)])).map(cookieOf);
        expect(new Set(cookies).size).toBe(1);
        const token = await lastToken(email);
        const [cookie] = cookies;
        expect(await confirmationAsksPassword(visitorContext(db), { token, cookie })).toBe(false);
        // Another password replaces it, and with it what the browser is known by.
        await submitSignUp(email, 'Strangers-Own-1');
        expect(await confirmationAsksPassword(visitorContext(db), { token, cookie })).toBe(true);
        await submitSignUp(email);
        expect(await confirm(token, { cookie })).toEqual({ ok: false, reason: 'wrong_password' });
        expect(await confirm(token, { password: PASSWORD })).toMatchObject({ ok: true });
      },
    );

    it.each(['new@race.test', 'known@race.test'])(
      'gives each of two simultaneous sign-ups with %s a cookie for its own password alone',
      async (email) => {
        if (email.startsWith('known')) await submitSignUp(email, 'Before-Both-1');
        const passwords = ['Owners-Own-1', 'Strangers-Own-1'];
        const cookies = (await Promise.all(passwords.map((one) => submitSignUp(email, one)))).map(cookieOf);
        const token = await lastToken(email);
        const asked = await Promise.all(
          cookies.map((cookie) => confirmationAsksPassword(visitorContext(db), { token, cookie })),
        );
        expect(asked.filter(Boolean)).toHaveLength(1);
        const known = asked.indexOf(false);
        expect(await confirm(token, { cookie: cookies[known] ?? '' })).toMatchObject({ ok: true });
        expect(await attemptSignIn(db, email, passwords[known])).toMatchObject({ ok: true });
      },
    );

    it('gives no cookie for the unconfirmed account of a seller, whose password it is not', async () => {
      const email = 'seller@race.test';
      await submitSignUp(email, 'Sellers-Own-1');
      await db
        .q()
        .updateTable('profiles')
        .set({ role: 'agent' })
        .where('id', '=', (await userOf(email))[0]?.id ?? '')
        .execute();
      const cookie = cookieOf(await submitSignUp(email, 'Strangers-Own-1'));
      expect(await confirm(await lastToken(email), { cookie })).toEqual({
        ok: false,
        reason: 'wrong_password',
      });
    });

    it('mails an address six times an hour, and keeps nobody from signing up', async () => {
      const email = 'flooded@acre.test';
      vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / HOUR) * HOUR });
      for (let count = 0; count < 12; count += 1) {
        expect(await submitSignUp(email)).toMatchObject({ ok: true });
        later(2);
      }
      expect(await mailbox(db, email)).toHaveLength(6);
      expect(await confirm(await lastToken(email), { password: PASSWORD })).toMatchObject({ ok: true });
    });
  });

  it('leaves nothing behind when the mail cannot be queued', async () => {
    const refuse = sql`alter table mail_outbox add constraint refused check (to_address <> 'nobody@acre.test')`;
    await refuse.execute(db.q());
    await expect(submitSignUp('nobody@acre.test')).rejects.toThrow(/refused/);
    expect(await userOf('nobody@acre.test')).toEqual([]);
    await sql`alter table mail_outbox drop constraint refused`.execute(db.q());
    expect(await submitSignUp('nobody@acre.test')).toMatchObject({ ok: true });
  });

  it.each([
    ['', PASSWORD, { email: 'Email is required' }],
    [null, null, { email: 'Email is required', password: 'Password is required' }],
    ['not an address', PASSWORD, { email: 'Invalid email address' }],
    ['a@b@acre.test', PASSWORD, { email: 'Invalid email address' }],
    ['x\r\nBcc: y@acre.test', PASSWORD, { email: 'Invalid email address' }],
    [`${'a'.repeat(250)}@acre.test`, PASSWORD, { email: 'Invalid email address' }],
    ['new@acre.test', '', { password: 'Password is required' }],
    ['new@acre.test', 'seven77', { password: 'Password must be at least 8 characters' }],
    ['new@acre.test', 'x'.repeat(129), { password: 'Password must be at most 128 characters' }],
    ['new@acre.test', 'Password1', { password: 'This password is too common. Please choose another one.' }],
    ['new@acre.test', ['a', 'b'], { password: 'Password is required' }],
  ])('rejects %j with %j on the field', async (email, password, errors) => {
    expect(await submitSignUp(email, password)).toEqual({ ok: false, errors });
    expect(await userOf('new@acre.test')).toEqual([]);
  });

  it('rejects a token that is expired, foreign, altered or not a token at all', async () => {
    await submitSignUp('late@acre.test');
    const token = (await mailbox(db, 'late@acre.test'))[0]?.token ?? '';
    const other = visitorContext(db, {
      config: { ...visitorContext(db).config, secret: 'another secret, also long enough' },
    });
    const { issueConfirmToken } = await import('#platform/auth/auth.ts');
    const forged = await issueConfirmToken(other, 'late@acre.test');
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), forged])
      expect(await verifyEmail(visitorContext(db), { token: wrong })).toEqual({
        ok: false,
        reason: 'invalid',
      });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * HOUR });
    expect(await verifyEmail(visitorContext(db), { token })).toEqual({ ok: false, reason: 'expired' });
    expect(await userOf('late@acre.test')).toMatchObject([{ email_verified: false }]);
  });

  it('mails the link again after a minute, with the same result for unknown and confirmed addresses', async () => {
    await createAccount(db, 'done@acre.test');
    await submitSignUp('again@acre.test');
    const start = Date.now();
    for (const email of ['again@acre.test', 'done@acre.test', 'unknown@acre.test']) {
      vi.useFakeTimers({ toFake: ['Date'], now: start + 120_000 });
      const ctx = visitorContext(db);
      expect(await resendVerification(ctx, { email })).toEqual({ ok: true });
      await expect(resendVerification(ctx, { email })).rejects.toThrow(TooManyRequests);
      vi.setSystemTime(start + 240_000);
      expect(await resendVerification(ctx, { email })).toEqual({ ok: true });
    }
    const mails = await mailbox(db, 'again@acre.test');
    expect(mails).toHaveLength(3);
    expect(
      await verifyEmail(visitorContext(db), { token: mails[2]?.token ?? '', password: PASSWORD }),
    ).toMatchObject({ ok: true, role: 'buyer' });
    expect(await mailbox(db, 'done@acre.test')).toHaveLength(1);
    expect(await mailbox(db, 'unknown@acre.test')).toEqual([]);
  });

  it('mails a network twenty links an hour', async () => {
    const ctx = visitorContext(db, { ip: '198.51.100.60' });
    for (let count = 1; count < 20; count += 1)
      await takeTokens(ctx, accountLimits.mailsByAddress, 'ip:198.51.100.60');
    expect(await resendVerification(ctx, { email: 'twentieth@acre.test' })).toEqual({ ok: true });
    await expect(resendVerification(ctx, { email: 'twenty-first@acre.test' })).rejects.toThrow(
      TooManyRequests,
    );
  });

  it('confirms for a network sixty times an hour', async () => {
    const ctx = visitorContext(db, { ip: '198.51.100.61' });
    for (let count = 1; count < 60; count += 1)
      await takeTokens(ctx, accountLimits.confirmByAddress, 'ip:198.51.100.61');
    expect(await verifyEmail(ctx, { token: 'x' })).toEqual({ ok: false, reason: 'invalid' });
    await expect(verifyEmail(ctx, { token: 'x' })).rejects.toThrow(TooManyRequests);
  });

  it('is rate limited by IP address', async () => {
    const ctx = visitorContext(db, { ip: '198.51.100.7' });
    const next = (email: string) => signUp(ctx, { email, password: PASSWORD, userAgent: null });
    for (let count = 1; count < 10; count += 1)
      await takeTokens(ctx, accountLimits.signUp, 'ip:198.51.100.7');
    expect(await next('flood10@acre.test')).toMatchObject({ ok: true });
    await expect(next('flood11@acre.test')).rejects.toThrow(TooManyRequests);
    expect(await userOf('flood11@acre.test')).toEqual([]);
  });
});
