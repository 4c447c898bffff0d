import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { isKnownDevice } from '#platform/auth/device-cookie.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  attemptSignIn,
  contextForCookie,
  createAccount,
  mailbox,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { endSignIns } from '../end-sign-ins.ts';
import { accountLimits } from '../limits.ts';
import { isResetTokenValid } from '../reads.ts';
import { changePassword } from './change-password.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { signUp } from './sign-up.ts';
import { verifyEmail } from './verify-email.ts';

const NEW_PASSWORD = 'Brand-New-Secret-9';

await describeOnDatabase('resetting a password', (open, kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  const requestReset = (email: unknown, choices: Partial<Ctx> = {}) =>
    requestPasswordReset(visitorContext(db, choices), { email });
  const tokenFor = async (email: string) => {
    expect(await requestReset(email)).toEqual({ ok: true });
    return (await mailbox(db, email)).at(-1)?.token ?? '';
  };
  const reset = (token: string, password: unknown = NEW_PASSWORD, confirm: unknown = password) =>
    resetPassword(visitorContext(db), { token, password, confirm });

  it('sets a new password once, ends every session and mails a notice', async () => {
    await createAccount(db, 'lost@acre.test', 'agent');
    const cookies = [await signInCookie(db, 'lost@acre.test'), await signInCookie(db, 'lost@acre.test')];
    const token = await tokenFor('lost@acre.test');
    expect(await isResetTokenValid(visitorContext(db), token)).toBe(true);
    expect(await reset(token)).toMatchObject({ ok: true, role: 'agent' });
    for (const cookie of cookies)
      expect((await contextForCookie(db, cookie)).ctx.actor).toEqual({ kind: 'visitor' });
    expect(await attemptSignIn(db, 'lost@acre.test', PASSWORD)).toMatchObject({
      reason: 'wrong_credentials',
    });
    expect(await attemptSignIn(db, 'lost@acre.test', NEW_PASSWORD)).toMatchObject({ ok: true });
    const notice = (await mailbox(db, 'lost@acre.test')).at(-1);
    expect(notice?.subject).toBe('Your password was changed');
    expect(notice?.text).toContain('http://localhost:3000/agent/login');
    expect(await isResetTokenValid(visitorContext(db), token)).toBe(false);
    await expect(reset(token, 'Third-Secret-333')).resolves.toEqual({ ok: false, reason: 'token' });
    expect(await attemptSignIn(db, 'lost@acre.test', NEW_PASSWORD)).toMatchObject({ ok: true });
  });

  it('ends the other links that were mailed, as does changing the password', async () => {
    await createAccount(db, 'twice@acre.test');
    const [first, second] = [await tokenFor('twice@acre.test'), await tokenFor('twice@acre.test')];
    await createAccount(db, 'bystander@acre.test');
    const others = await tokenFor('bystander@acre.test');
    expect(await reset(first)).toMatchObject({ ok: true });
    expect(await reset(second, 'Third-Secret-333')).toEqual({ ok: false, reason: 'token' });
    const third = await tokenFor('twice@acre.test');
    const { ctx, sessionId } = await contextForCookie(
      db,
      await signInCookie(db, 'twice@acre.test', 'buyer', NEW_PASSWORD),
    );
    const change = { current: NEW_PASSWORD, password: 'Fourth-Secret-4', confirm: 'Fourth-Secret-4' };
    expect(await changePassword(ctx, { ...change, currentSessionId: sessionId })).toEqual({ ok: true });
    expect(await isResetTokenValid(visitorContext(db), third)).toBe(false);
    expect(await isResetTokenValid(visitorContext(db), others)).toBe(true);
  });

  it('refuses the name of the account, and the link can be used again', async () => {
    await createAccount(db, 'mary.brewster@acre.test');
    const token = await tokenFor('mary.brewster@acre.test');
    expect(await reset(token, 'MaryBrewster-77')).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { password: 'This password is too common. Please choose another one.' },
    });
    expect(await attemptSignIn(db, 'mary.brewster@acre.test', PASSWORD)).toMatchObject({ ok: true });
    expect(await reset(token)).toMatchObject({ ok: true });
  });

  it('refuses a common password, as does changing it', async () => {
    await createAccount(db, 'common@acre.test');
    const token = await tokenFor('common@acre.test');
    const refused = { password: 'This password is too common. Please choose another one.' };
    expect(await reset(token, 'password1')).toEqual({ ok: false, reason: 'invalid', errors: refused });
    expect(await isResetTokenValid(visitorContext(db), token)).toBe(true);
    const { ctx, sessionId } = await contextForCookie(db, await signInCookie(db, 'common@acre.test'));
    const change = { current: PASSWORD, password: '12345678', confirm: '12345678' };
    expect(await changePassword(ctx, { ...change, currentSessionId: sessionId })).toEqual({
      ok: false,
      errors: refused,
    });
  });

  it('lets only one of two concurrent requests use the token', async () => {
    await createAccount(db, 'race@acre.test');
    const token = await tokenFor('race@acre.test');
    const outcomes = await Promise.all(
      ['First-Secret-111', 'Second-Secret-222'].map((password) => reset(token, password)),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = outcomes[0]?.ok ? 'First-Secret-111' : 'Second-Secret-222';
    expect(await attemptSignIn(db, 'race@acre.test', winner)).toMatchObject({ ok: true });
    const notices = (await mailbox(db, 'race@acre.test')).filter(({ subject }) =>
      subject.includes('changed'),
    );
    expect(notices).toHaveLength(1);
  });

  // The embedded database has one connection, so that nothing there waits for another transaction.
  it.skipIf(kind === 'embedded')(
    'waits for whoever takes the account over, which ends the link',
    async () => {
      const id = await createAccount(db, 'taken@acre.test');
      const token = await tokenFor('taken@acre.test');
      // One that has expired is deleted by whoever reads another one first.
      const expired = { id: randomUUID(), identifier: 'expired', value: id };
      await db
        .q()
        .insertInto('verifications')
        .values({ ...expired, expires_at: new Date(Date.now() - HOUR) })
        .execute();
      const begun = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      const takeover = db.tx(async () => {
        await db.q().selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
        begun.resolve();
        await goOn.promise;
        await endSignIns(visitorContext(db), id);
      });
      await begun.promise;
      const outcome = reset(token);
      await untilItWaits(db, outcome);
      goOn.resolve();
      await takeover;
      expect(await outcome).toEqual({ ok: false, reason: 'token' });
    },
  );

  it.skipIf(kind === 'embedded')('waits for the confirmation of the address', async () => {
    const email = 'confirming@acre.test';
    await signUp(visitorContext(db), { email, password: PASSWORD, userAgent: null });
    const confirmation = (await mailbox(db, email)).at(-1)?.token ?? '';
    const token = await tokenFor(email);
    const writing = holdStatement(db, /^update "users"/i);
    const confirmed = verifyEmail(visitorContext(writing.db), { token: confirmation, password: PASSWORD });
    await writing.reached;
    const outcome = reset(token);
    await untilItWaits(db, outcome);
    writing.letGo();
    expect(await confirmed).toMatchObject({ ok: true });
    expect(await outcome).toMatchObject({ ok: true });
  });

  it.skipIf(kind === 'embedded')('waits for nobody who is changing another account', async () => {
    await createAccount(db, 'patient@acre.test');
    const token = await tokenFor('patient@acre.test');
    const other = await createAccount(db, 'busy@acre.test');
    const client = await db.pool.connect();
    let isOver = false;
    const resetting = async () => {
      const result = await reset(token);
      isOver = true;
      return result;
    };
    await client.query('begin');
    await client.query('select from users where id = $1 for update', [other]);
    await client.query('select from credentials where user_id = $1 for update', [other]);
    const outcome = resetting();
    await untilItWaits(db, outcome);
    const hadToWait = !isOver;
    await client.query('rollback');
    client.release();
    expect(await outcome).toMatchObject({ ok: true });
    expect(hadToWait).toBe(false);
  });

  it('gives the same result for an unknown address, and mails nothing', async () => {
    expect(await requestReset('stranger@acre.test')).toEqual({ ok: true });
    expect(await mailbox(db, 'stranger@acre.test')).toEqual([]);
  });

  it('lets nobody keep an owner from a new password by asking for one', async () => {
    await createAccount(db, 'besieged@acre.test');
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / HOUR) * HOUR });
    for (let count = 0; count < 12; count += 1)
      expect(await requestReset('besieged@acre.test')).toEqual({ ok: true });
    const links = (await mailbox(db, 'besieged@acre.test')).filter(
      ({ subject }) => subject === 'Reset your password',
    );
    expect(links).toHaveLength(6);
    expect(await reset(links.at(-1)?.token ?? '')).toMatchObject({ ok: true, role: 'buyer' });
  });

  it('makes the browser known to the account whose password it is, and to no other', async () => {
    const accounts = [];
    for (const email of ['one@cookies.test', 'two@cookies.test'])
      accounts.push({ email, id: await createAccount(db, email) });
    for (const { email, id } of accounts) {
      const result = await reset(await tokenFor(email));
      const [cookie = ''] = result.ok ? result.cookies : [];
      const { password } = await db
        .q()
        .selectFrom('credentials')
        .select('password')
        .where('user_id', '=', id)
        .executeTakeFirstOrThrow();
      const { config } = visitorContext(db);
      expect(isKnownDevice(config, cookie.split(';')[0] ?? '', { id, password })).toBe(true);
      expect(isKnownDevice(config, cookie.split(';')[0] ?? '', { id, password: 'an older hash' })).toBe(
        false,
      );
    }
  });

  it('mails three links an hour for an address and a network, known or not', async () => {
    await createAccount(db, 'eager@acre.test');
    const start = Math.ceil(Date.now() / HOUR) * HOUR;
    const here = { ip: '198.51.100.40' };
    for (const email of ['eager@acre.test', 'eager-stranger@acre.test']) {
      vi.useFakeTimers({ toFake: ['Date'], now: start });
      for (let count = 0; count < 3; count += 1)
        expect(await requestReset(email.toUpperCase(), here)).toEqual({ ok: true });
      await expect(requestReset(email, here)).rejects.toThrow(TooManyRequests);
      vi.setSystemTime(start + HOUR);
      expect(await requestReset(email, here)).toEqual({ ok: true });
    }
    const links = (await mailbox(db, 'eager@acre.test')).filter(
      ({ subject }) => subject === 'Reset your password',
    );
    expect(links).toHaveLength(4);
  });

  it('is tried twenty times an hour from a network', async () => {
    const now = new Date();
    const ctx = visitorContext(db, { ip: '198.51.100.41', now: () => now });
    const attempt = () =>
      resetPassword(ctx, { token: 'no-such-token', password: NEW_PASSWORD, confirm: NEW_PASSWORD });
    for (let count = 1; count < 20; count += 1)
      await takeTokens(ctx, accountLimits.newPasswordByAddress, 'ip:198.51.100.41');
    expect(await attempt()).toEqual({ ok: false, reason: 'token' });
    await expect(attempt()).rejects.toThrow(TooManyRequests);
  });

  it('keeps the token valid when the new password is rejected', async () => {
    await createAccount(db, 'typo@acre.test');
    const token = await tokenFor('typo@acre.test');
    const refusals: [string, unknown, object][] = [
      ['', '', { password: 'Password is required' }],
      ['short77', 'short77', { password: 'Password must be at least 8 characters' }],
      [NEW_PASSWORD, 'Other-Secret-999', { confirm: 'Passwords do not match' }],
      [NEW_PASSWORD, null, { confirm: 'Passwords do not match' }],
      ['x'.repeat(129), 'x'.repeat(129), { password: 'Password must be at most 128 characters' }],
    ];
    for (const [password, confirm, errors] of refusals)
      expect(await reset(token, password, confirm)).toEqual({ ok: false, reason: 'invalid', errors });
    expect(await isResetTokenValid(visitorContext(db), token)).toBe(true);
  });

  it('accepts a weak password that is long enough: the strength meter only advises', async () => {
    await createAccount(db, 'weak@acre.test');
    expect(await reset(await tokenFor('weak@acre.test'), 'plumtree')).toMatchObject({ ok: true });
  });

  it('rejects a token that is expired, unknown, altered or of another kind', async () => {
    await createAccount(db, 'old@acre.test');
    const confirmToken = (await mailbox(db, 'old@acre.test'))[0]?.token ?? '';
    const token = await tokenFor('old@acre.test');
    const stored = await db.q().selectFrom('verifications').select('identifier').execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    for (const wrong of [
      '',
      'x',
      `${token}x`,
      token.toLowerCase(),
      confirmToken,
      stored.at(-1)?.identifier ?? '',
    ])
      expect(await reset(wrong)).toEqual({ ok: false, reason: 'token' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * MINUTE });
    expect(await isResetTokenValid(visitorContext(db), token)).toBe(false);
    expect(await reset(token)).toEqual({ ok: false, reason: 'token' });
    expect(await attemptSignIn(db, 'old@acre.test', PASSWORD)).toMatchObject({ ok: true });
  });

  it('confirms the address, so that an account opened by a stranger belongs to the mailbox', async () => {
    await signUp(visitorContext(db), {
      email: 'mine@acre.test',
      password: 'Stranger-Secret-1',
      userAgent: null,
    });
    const other = { email: 'somebody@acre.test', password: PASSWORD, userAgent: null };
    await signUp(visitorContext(db), other);
    expect(await reset(await tokenFor('mine@acre.test'))).toMatchObject({ ok: true, role: 'buyer' });
    // Of that one alone.
    expect(await attemptSignIn(db, other.email)).toMatchObject({ reason: 'email_not_confirmed' });
    expect(await attemptSignIn(db, 'mine@acre.test', NEW_PASSWORD)).toMatchObject({ ok: true });
    expect(await attemptSignIn(db, 'mine@acre.test', 'Stranger-Secret-1')).toMatchObject({
      reason: 'wrong_credentials',
    });
  });

  it('notifies the other tabs', async () => {
    const id = await createAccount(db, 'tabs@acre.test');
    await reset(await tokenFor('tabs@acre.test'));
    const events = await db
      .q()
      .selectFrom('live_events')
      .select(['audience', 'type'])
      .where('audience', '=', `user:${id}`)
      .execute();
    expect(events).toEqual([{ audience: `user:${id}`, type: 'session' }]);
  });
});
