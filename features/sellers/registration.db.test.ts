import { afterAll, beforeAll, expect, it } from 'vitest';
import { resendVerification } from '#features/accounts/commands/resend-verification.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { signUp } from '#features/accounts/commands/sign-up.ts';
import { verifyEmail } from '#features/accounts/commands/verify-email.ts';
import type { Database } from '#platform/db/database.ts';
import { freshVisitor, mailbox, openAccount, PASSWORD } from '#tests/support/accounts.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { inviteSeller } from './commands/invite-seller.ts';
import { registerSeller } from './commands/register-seller.ts';
import { resendInvitation } from './commands/resend-invitation.ts';
import { registrationOf } from './reads.ts';

const OTHER_PASSWORD = 'Plumb-Line 78 copper';

await describeOnEachDatabase('registering as a seller', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const system = (now = () => new Date()) =>
    freshVisitor(db, { actor: { kind: 'system', name: 'test' }, now });
  let count = 0;

  async function invite(now?: () => Date) {
    count += 1;
    const email = `invited${count}-${Date.now()}@example.test`;
    const result = await inviteSeller(system(now), { name: 'Ines Calloway', email: email.toUpperCase() });
    if (!result.ok) throw new Error(result.reason);
    const { searchParams } = new URL(result.link);
    return { email, id: result.sellerId, token: searchParams.get('token') ?? '', link: result.link };
  }
  const form = (email: string, password = PASSWORD) => ({
    name: 'Ines Calloway',
    email,
    password,
    confirm: password,
  });
  const enter = (email: string, password = PASSWORD) =>
    signIn(freshVisitor(db), { door: 'agent', email, password, userAgent: null, currentSessionId: null });
  const record = (id: string) =>
    db.q().selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('goes from the mailed link to a seller who can sign in at once', async () => {
    const { email, id, token, link } = await invite();
    const [mail] = await mailbox(db, email);
    expect(mail).toMatchObject({ subject: 'Your invitation to sell', token });
    expect(mail?.text).toContain(link);
    expect(await registrationOf(freshVisitor(db), { id, token })).toEqual({
      state: 'ready',
      name: 'Ines Calloway',
      email,
      proven: true,
    });
    const stored = await db
      .q()
      .selectFrom('agent_invitations')
      .selectAll()
      .where('agent_id', '=', id)
      .execute();
    expect(JSON.stringify(stored)).not.toContain(token);

    // What the form says of name and address is looked at and not believed.
    const typed = { ...form('mallory@example.test'), name: 'Mallory' };
    expect(await registerSeller(freshVisitor(db), { id, token, ...typed })).toEqual({
      ok: true,
      email,
      proven: true,
    });
    expect(await record(id)).toMatchObject({ name: 'Ines Calloway', email, is_registered: true });
    const entered = await enter(email);
    expect(entered).toMatchObject({ ok: true, actor: { role: 'agent', agentId: id, emailVerified: true } });
    expect(await registrationOf(freshVisitor(db), { id, token })).toEqual({ state: 'registered' });
    expect(await registrationOf(freshVisitor(db), { id, token: null })).toEqual({ state: 'registered' });
    expect(await registerSeller(freshVisitor(db), { id, token, ...form(email, OTHER_PASSWORD) })).toEqual({
      ok: false,
      reason: 'registered',
    });
    expect(await enter(email, OTHER_PASSWORD)).toMatchObject({ ok: false });
  });

  it('with the id alone waits for the address to be confirmed', async () => {
    const { email, id } = await invite();
    expect(await registrationOf(freshVisitor(db), { id, token: null })).toMatchObject({
      state: 'ready',
      proven: false,
    });
    expect(await registerSeller(freshVisitor(db), { id, token: null, ...form(email) })).toMatchObject({
      ok: true,
      proven: false,
    });
    expect(await enter(email)).toEqual({ ok: false, reason: 'email_not_confirmed' });
    expect(await registrationOf(freshVisitor(db), { id, token: null })).toEqual({ state: 'registered' });
    await resendVerification(freshVisitor(db), { email });
    const mails = await mailbox(db, email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your invitation to sell',
      'Confirm your e-mail address',
      'Confirm your e-mail address',
    ]);
    expect(await verifyEmail(freshVisitor(db), { token: mails[1]?.token ?? '' })).toEqual({ ok: true });
    expect(await enter(email)).toMatchObject({ ok: true, actor: { agentId: id } });
  });

  it('belongs to whoever has the mail: a stranger who knew the id is put out', async () => {
    const { email, id, token } = await invite();
    const stranger = await registerSeller(freshVisitor(db), {
      id,
      token: null,
      ...form(email, OTHER_PASSWORD),
    });
    expect(stranger).toMatchObject({ ok: true, proven: false });
    expect(await registrationOf(freshVisitor(db), { id, token })).toMatchObject({
      state: 'ready',
      proven: true,
    });
    expect(await registerSeller(freshVisitor(db), { id, token, ...form(email) })).toMatchObject({ ok: true });
    expect(await enter(email)).toMatchObject({ ok: true, actor: { agentId: id } });
    expect(await enter(email, OTHER_PASSWORD)).toEqual({ ok: false, reason: 'wrong_credentials' });
  });

  it('finishes what was left half-made, and only what nobody had confirmed', async () => {
    // Somebody began a buyer's account with the address and never confirmed it.
    const first = await invite();
    await signUp(freshVisitor(db), { email: first.email, password: OTHER_PASSWORD, userAgent: null });
    expect(
      await registerSeller(freshVisitor(db), { id: first.id, token: null, ...form(first.email) }),
    ).toEqual({
      ok: false,
      reason: 'account_exists',
    });
    expect(await registerSeller(freshVisitor(db), { ...first, ...form(first.email) })).toMatchObject({
      ok: true,
    });
    expect(await enter(first.email)).toMatchObject({ ok: true, actor: { role: 'agent', agentId: first.id } });

    // A seller's account that lost the way to its record.
    const second = await invite();
    const userId = await openAccount(db, second.email, 'buyer');
    await db.q().updateTable('profiles').set({ role: 'agent' }).where('id', '=', userId).execute();
    expect(
      await registerSeller(freshVisitor(db), { ...second, ...form(second.email, OTHER_PASSWORD) }),
    ).toMatchObject({
      ok: true,
    });
    expect(await record(second.id)).toMatchObject({ user_id: userId, is_registered: true });
    expect(await enter(second.email, OTHER_PASSWORD)).toMatchObject({ ok: true });

    // A buyer with a confirmed address keeps the account as it is.
    const third = await invite();
    await openAccount(db, third.email);
    expect(
      await registerSeller(freshVisitor(db), { ...third, ...form(third.email, OTHER_PASSWORD) }),
    ).toEqual({
      ok: false,
      reason: 'account_exists',
    });
    expect(await record(third.id)).toMatchObject({ user_id: null, is_registered: false });
    expect(await enter(third.email, OTHER_PASSWORD)).toEqual({ ok: false, reason: 'wrong_credentials' });
  });

  it('is done once, however often it is pressed', async () => {
    const { email, id, token } = await invite();
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => registerSeller(freshVisitor(db), { id, token, ...form(email) })),
    );
    expect(tries.filter(({ ok }) => ok)).toHaveLength(1);
    expect(tries.filter((one) => !one.ok && one.reason === 'registered')).toHaveLength(4);
    const users = await db.q().selectFrom('users').select('id').where('email', '=', email).execute();
    expect(users).toHaveLength(1);
    const audits = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity_id', '=', id)
      .execute();
    expect(audits.map(({ action }) => action).sort()).toEqual(['seller.invite', 'seller.register']);
  });

  it('refuses links that are wrong, used, too old or replaced', async () => {
    let now = Date.now();
    const { email, id, token } = await invite(() => new Date(now));
    const look = (link: { id: string | null; token: string | null }) =>
      registrationOf(freshVisitor(db, { now: () => new Date(now) }), link);
    const invalid = { state: 'invalid' };
    expect(await look({ id: null, token: null })).toEqual(invalid);
    expect(await look({ id: "' or 1=1 --", token })).toEqual(invalid);
    expect(await look({ id: crypto.randomUUID(), token })).toEqual({ state: 'unknown' });
    expect(await look({ id, token: 'made-up-made-up-made-up' })).toEqual(invalid);
    const other = await invite();
    expect(await look({ id, token: other.token })).toEqual(invalid);
    expect(await registerSeller(freshVisitor(db), { id, token: other.token, ...form(email) })).toEqual({
      ok: false,
      reason: 'invalid',
    });

    const again = await resendInvitation(system(), { sellerId: id });
    if (!again.ok) throw new Error(again.reason);
    expect(await look({ id, token })).toEqual(invalid);
    const fresh = new URL(again.link).searchParams.get('token');
    expect(await look({ id, token: fresh })).toMatchObject({ state: 'ready' });
    await expect(resendInvitation(system(), { sellerId: id })).rejects.toThrow('Too many attempts');

    now += 7 * 86_400_000 + 60_000;
    expect(await look({ id, token: fresh })).toEqual(invalid);
    await db.q().updateTable('agents').set({ archived_at: new Date() }).where('id', '=', other.id).execute();
    expect(await look({ id: other.id, token: other.token })).toEqual(invalid);
  });

  it('says what was typed wrong, in the words of the form', async () => {
    const { email, id, token } = await invite();
    const errorsOf = async (typed: object) => {
      const result = await registerSeller(freshVisitor(db), { id, token, ...form(email), ...typed });
      return !result.ok && result.reason === 'typed' ? result.errors : result;
    };
    expect(await errorsOf({ name: 'I' })).toEqual({ name: 'Name must be at least 2 characters' });
    expect(await errorsOf({ email: 'nowhere' })).toEqual({ email: 'Invalid email address' });
    expect(await errorsOf({ password: 'short', confirm: 'short' })).toEqual({
      password: 'Password must be at least 8 characters',
    });
    expect(await errorsOf({ confirm: 'another' })).toEqual({ confirm: 'Passwords do not match' });
    expect(await errorsOf({ password: '', confirm: 'x' })).toEqual({
      password: 'Password must be at least 8 characters',
      confirm: 'Passwords do not match',
    });
    expect(await errorsOf({ password: 'password123', confirm: 'password123' })).toMatchObject({
      password: expect.stringContaining('too common'),
    });
    expect(await record(id)).toMatchObject({ is_registered: false });
    expect(await db.q().selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([]);
  });

  it('invites nobody twice, and nobody who has an account', async () => {
    const { email, id } = await invite();
    const again = (address: string, name = 'Somebody') => inviteSeller(system(), { name, email: address });
    expect(await again(email)).toEqual({ ok: false, reason: 'address_taken' });
    const buyer = `buyer-${crypto.randomUUID()}@example.test`;
    await openAccount(db, buyer);
    expect(await again(buyer)).toEqual({ ok: false, reason: 'address_taken' });
    expect(await again('nowhere', 'X')).toMatchObject({
      reason: 'invalid',
      errors: { name: 'Name must be at least 2 characters', email: 'Invalid email address' },
    });
    const { token } = { token: (await mailbox(db, email)).at(-1)?.token ?? '' };
    await registerSeller(freshVisitor(db), { id, token, ...form(email) });
    expect(await resendInvitation(system(), { sellerId: id })).toEqual({ ok: false, reason: 'registered' });
  });
});
