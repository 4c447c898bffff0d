import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { Forbidden, TooManyRequests } from '#platform/errors.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  contextForCookie,
  createAccount,
  mailbox,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { isResetTokenValid } from '../reads.ts';
import { changeName } from './change-name.ts';
import { changePassword } from './change-password.ts';
import { confirmEmailChange } from './confirm-email-change.ts';
import { requestEmailChange } from './request-email-change.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { signIn } from './sign-in.ts';

await describeOnDatabase('name and email address of an account', (open) => {
  let db: Database;
  let count = 0;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  async function account() {
    count += 1;
    const email = `before${count}@acre.test`;
    const id = await createAccount(db, email);
    const { ctx } = await contextForCookie(db, await signInCookie(db, email));
    return { id, email, to: `after${count}@acre.test`, ctx };
  }
  const ask = async ({ ctx, to }: Awaited<ReturnType<typeof account>>) => {
    expect(await requestEmailChange(ctx, { email: ` ${to.toUpperCase()} `, current: PASSWORD })).toEqual({
      ok: true,
      email: to,
    });
    return (await mailbox(db, to)).at(-1)?.token ?? '';
  };
  const confirm = (token: string, now = new Date()) =>
    confirmEmailChange(visitorContext(db, { now: () => now }), { token });
  const canSignIn = async (email: string) => {
    const device = { userAgent: null, currentSessionId: null };
    return (await signIn(visitorContext(db), { loginRole: 'buyer', email, password: PASSWORD, ...device }))
      .ok;
  };

  it('the address changes by the link that is mailed to the new one, once, and the old one is told', async () => {
    const other = await account();
    const one = await account();
    const token = await ask(one);
    expect(await canSignIn(one.email)).toBe(true);
    expect(await canSignIn(one.to)).toBe(false);
    expect(await confirm(token)).toEqual({ ok: true, role: 'buyer' });
    expect(await canSignIn(one.email)).toBe(false);
    expect(await canSignIn(one.to)).toBe(true);
    expect(await canSignIn(other.email)).toBe(true);
    expect((await mailbox(db, one.email)).map(({ subject }) => subject)).toContain(
      'Your email address was changed',
    );
    expect(await confirm(token)).toEqual({ ok: false, reason: 'invalid' });
  });

  it('the link works for a day, and not after the password has changed', async () => {
    const late = await ask(await account());
    expect(await confirm(late, new Date(Date.now() + DAY + MINUTE))).toMatchObject({ reason: 'invalid' });
    const other = await account();
    const token = await ask(other);
    const password = 'Plumb-Line 78 copper';
    const currentSessionId = null;
    await changePassword(other.ctx, { current: PASSWORD, password, confirm: password, currentSessionId });
    expect(await confirm(token)).toEqual({ ok: false, reason: 'invalid' });
    for (const made of ['', 'a', 'a.b', 'e30.x', `${token}.x`])
      expect(await confirm(made)).toEqual({ ok: false, reason: 'invalid' });
    const closed = await account();
    const closedToken = await ask(closed);
    await db.q().updateTable('users').set({ closed_at: new Date() }).where('id', '=', closed.id).execute();
    await expect(confirm(closedToken)).resolves.toEqual({ ok: false, reason: 'invalid' });
  });

  it('ends links that would reset the password by the old mailbox', async () => {
    const one = await account();
    await requestPasswordReset(visitorContext(db), { email: one.email });
    const reset = (await mailbox(db, one.email)).at(-1)?.token ?? '';
    expect(await isResetTokenValid(visitorContext(db), reset)).toBe(true);
    await confirm(await ask(one));
    expect(await isResetTokenValid(visitorContext(db), reset)).toBe(false);
  });

  it('does not tell whether another account has the address; its owner is mailed instead', async () => {
    const [one, other] = [await account(), await account()];
    expect(await requestEmailChange(one.ctx, { email: other.email, current: PASSWORD })).toEqual({
      ok: true,
      email: other.email,
    });
    expect((await mailbox(db, other.email)).at(-1)).toMatchObject({
      subject: 'This address already has an account',
      text: expect.stringContaining('http://localhost:3000/buyer/login'),
      token: '',
    });
    const seller = `owner-${Date.now()}@acre.test`;
    await createAccount(db, seller, 'agent');
    await requestEmailChange(one.ctx, { email: seller, current: PASSWORD });
    expect((await mailbox(db, seller)).at(-1)?.text).toContain('http://localhost:3000/agent/login');
    const token = await ask(one);
    await db.q().updateTable('users').set({ email: one.to }).where('id', '=', other.id).execute();
    await expect(confirm(token)).resolves.toEqual({ ok: false, reason: 'taken' });
  });

  it('asks for the password, an address, and patience', async () => {
    const { email, to, ...one } = await account();
    const now = new Date();
    const ctx = { ...one.ctx, now: () => now };
    expect(await requestEmailChange(ctx, { email: to, current: 'Not the password 1' })).toEqual({
      ok: false,
      errors: { emailPassword: 'The current password is incorrect' },
    });
    expect(await requestEmailChange(ctx, { email: 'nobody', current: '' })).toEqual({
      ok: false,
      errors: { email: 'Invalid email address', emailPassword: 'Password is required' },
    });
    expect(await requestEmailChange(ctx, { email, current: PASSWORD })).toEqual({
      ok: false,
      errors: { email: 'This is your email address already' },
    });
    for (let tries = 1; tries < 5; tries++) await requestEmailChange(ctx, { email: to, current: PASSWORD });
    await expect(requestEmailChange(ctx, { email: to, current: PASSWORD })).rejects.toThrow(TooManyRequests);
  });

  it('closing the account erases the mails to its earlier address, too, also one that waits at the change', async () => {
    const one = await account();
    const token = await ask(one);
    const waiting = { subject: 'A new message', text: 'Hello', html: '<p>Hello</p>' };
    await queueMail(one.ctx, { idempotencyKey: `test:${one.id}`, to: { address: one.email }, ...waiting });
    await confirm(token);
    await db.q().updateTable('mail_outbox').set({ status: 'sent' }).execute();
    const { ctx } = await contextForCookie(db, await signInCookie(db, one.to));
    expect(await closeAccount(ctx, { password: PASSWORD })).toMatchObject({ ok: true });
    expect(await mailbox(db, one.email)).toEqual([]);
  });

  it('the name is one visible line of 2 to 120 characters; sellers ask an administrator', async () => {
    const { id, ctx } = await account();
    expect(await changeName(ctx, { name: '  Ada\n King ' })).toEqual({ ok: true });
    const row = await db.q().selectFrom('users').select('name').where('id', '=', id).executeTakeFirst();
    expect(row?.name).toBe('Ada King');
    for (const [name, message] of [
      [' A ', 'Name must be at least 2 characters'],
      [undefined, 'Name must be at least 2 characters'],
      ['N'.repeat(121), 'Name must be at most 120 characters'],
    ])
      expect(await changeName(ctx, { name })).toEqual({ ok: false, errors: { name: message } });
    await createAccount(db, 'dealer@acre.test', 'agent');
    const seller = await contextForCookie(db, await signInCookie(db, 'dealer@acre.test', 'agent'));
    await expect(changeName(seller.ctx, { name: 'Somebody Else' })).rejects.toThrow(Forbidden);
  });
});
