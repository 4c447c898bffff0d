import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { TooManyRequests } from '#platform/errors.ts';
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
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';

const NEXT = 'Brand-New-Secret-9';

await describeOnEachDatabase('resetting a password', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  afterEach(() => {
    vi.useRealTimers();
  });

  const ask = (email: unknown) => requestPasswordReset(freshVisitor(db), { email });
  const tokenFor = async (email: string) => {
    expect(await ask(email)).toEqual({ ok: true });
    return (await mailbox(db, email)).at(-1)?.token ?? '';
  };
  const reset = (token: string, password: unknown = NEXT, confirm: unknown = password) =>
    resetPassword(freshVisitor(db), { token, password, confirm });
  const enter = (email: string, password: string) =>
    signIn(freshVisitor(db), { door: 'buyer', email, password, userAgent: null, currentSessionId: null });

  it('sets a new password once, ends every session and mails a notice', async () => {
    await openAccount(db, 'lost@acre.test', 'agent');
    const cookies = [await cookieOf(db, 'lost@acre.test'), await cookieOf(db, 'lost@acre.test')];
    const token = await tokenFor('lost@acre.test');
    expect(await resetTokenWorks(freshVisitor(db), token)).toBe(true);
    expect(await reset(token)).toEqual({ ok: true, role: 'agent' });
    for (const cookie of cookies)
      expect((await contextOf(db, cookie)).ctx.actor).toEqual({ kind: 'visitor' });
    expect(await enter('lost@acre.test', PASSWORD)).toMatchObject({ reason: 'wrong_credentials' });
    expect(await enter('lost@acre.test', NEXT)).toMatchObject({ ok: true });
    const notice = (await mailbox(db, 'lost@acre.test')).at(-1);
    expect(notice?.subject).toBe('Your password was changed');
    expect(notice?.text).toContain('http://localhost:3000/agent/login');
    expect(await resetTokenWorks(freshVisitor(db), token)).toBe(false);
    expect(await reset(token, 'Third-Secret-333')).toEqual({ ok: false, reason: 'token' });
    expect(await enter('lost@acre.test', NEXT)).toMatchObject({ ok: true });
  });

  it('lets one of two requests at once have the token', async () => {
    await openAccount(db, 'race@acre.test');
    const token = await tokenFor('race@acre.test');
    const outcomes = await Promise.all(
      ['First-Secret-111', 'Second-Secret-222'].map((password) => reset(token, password)),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = outcomes[0]?.ok ? 'First-Secret-111' : 'Second-Secret-222';
    expect(await enter('race@acre.test', winner)).toMatchObject({ ok: true });
    const notices = (await mailbox(db, 'race@acre.test')).filter(({ subject }) =>
      subject.includes('changed'),
    );
    expect(notices).toHaveLength(1);
  });

  it('answers the same for an unknown address, and mails nothing', async () => {
    expect(await ask('stranger@acre.test')).toEqual({ ok: true });
    expect(await mailbox(db, 'stranger@acre.test')).toEqual([]);
  });

  it('mails three links an hour for an address, known or not', async () => {
    await openAccount(db, 'eager@acre.test');
    const start = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
    for (const email of ['eager@acre.test', 'eager-stranger@acre.test']) {
      vi.useFakeTimers({ toFake: ['Date'], now: start });
      for (let count = 0; count < 3; count += 1) expect(await ask(email.toUpperCase())).toEqual({ ok: true });
      await expect(ask(email)).rejects.toThrow(TooManyRequests);
      vi.setSystemTime(start + 3_600_000);
      expect(await ask(email)).toEqual({ ok: true });
    }
    const links = (await mailbox(db, 'eager@acre.test')).filter(
      ({ subject }) => subject === 'Reset your password',
    );
    expect(links).toHaveLength(4);
  });

  it('keeps the token when the new password is refused', async () => {
    await openAccount(db, 'typo@acre.test');
    const token = await tokenFor('typo@acre.test');
    const refusals: [string, unknown, object][] = [
      ['', '', { password: 'Password is required' }],
      ['short77', 'short77', { password: 'Password must be at least 8 characters' }],
      [NEXT, 'Other-Secret-999', { confirm: 'Passwords do not match' }],
      [NEXT, null, { confirm: 'Passwords do not match' }],
      ['x'.repeat(129), 'x'.repeat(129), { password: 'Password must be at most 128 characters' }],
    ];
    for (const [password, confirm, errors] of refusals)
      expect(await reset(token, password, confirm)).toEqual({ ok: false, reason: 'invalid', errors });
    expect(await resetTokenWorks(freshVisitor(db), token)).toBe(true);
  });

  it('takes a weak but long enough password: the meter only advises', async () => {
    await openAccount(db, 'weak@acre.test');
    expect(await reset(await tokenFor('weak@acre.test'), 'abcdefgh')).toMatchObject({ ok: true });
  });

  it('refuses a token that is old, unknown, altered or of another kind', async () => {
    await openAccount(db, 'old@acre.test');
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
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
    expect(await resetTokenWorks(freshVisitor(db), token)).toBe(false);
    expect(await reset(token)).toEqual({ ok: false, reason: 'token' });
    expect(await enter('old@acre.test', PASSWORD)).toMatchObject({ ok: true });
  });

  it('confirms the address, so that an account opened by a stranger belongs to the mailbox', async () => {
    await signUp(freshVisitor(db), {
      email: 'mine@acre.test',
      password: 'Stranger-Secret-1',
      userAgent: null,
    });
    expect(await reset(await tokenFor('mine@acre.test'))).toMatchObject({ ok: true, role: 'buyer' });
    expect(await enter('mine@acre.test', NEXT)).toMatchObject({ ok: true });
    expect(await enter('mine@acre.test', 'Stranger-Secret-1')).toMatchObject({ reason: 'wrong_credentials' });
  });

  it('tells the other tabs', async () => {
    const id = await openAccount(db, 'tabs@acre.test');
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
