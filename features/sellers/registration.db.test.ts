import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestPasswordReset } from '#features/accounts/commands/request-password-reset.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { signUp } from '#features/accounts/commands/sign-up.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  attemptSignIn as attemptBuyerSignIn,
  createAccount,
  mailbox,
  PASSWORD,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { inviteSeller } from './commands/invite-seller.ts';
import { registerSeller } from './commands/register-seller.ts';
import { resendInvitation } from './commands/resend-invitation.ts';
import { sellerLimits } from './limits.ts';
import { registrationState } from './reads.ts';

const OTHER_PASSWORD = 'Plumb-Line 78 copper';

await describeOnDatabase('registering as a seller', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const system = (now = () => new Date()) =>
    visitorContext(db, { actor: { kind: 'system', name: 'test' }, now });
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
  const attemptSignIn = (email: string, password = PASSWORD) =>
    signIn(visitorContext(db), {
      loginRole: 'agent',
      email,
      password,
      userAgent: null,
      currentSessionId: null,
    });
  const record = (id: string) =>
    db.q().selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('goes from the mailed link to a seller who can sign in at once', async () => {
    const { email, id, token, link } = await invite();
    const [mail] = await mailbox(db, email);
    expect(mail).toMatchObject({ subject: 'Your invitation to sell', token });
    expect(mail?.text).toContain(link);
    expect(await registrationState(visitorContext(db), { id, token })).toEqual({
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

    // Name and address of the form are validated but not used.
    const typed = { ...form('mallory@example.test'), name: 'Mallory' };
    expect(await registerSeller(visitorContext(db), { id, token, ...typed })).toEqual({
      ok: true,
      email,
      proven: true,
    });
    expect(await record(id)).toMatchObject({ name: 'Ines Calloway', email, is_registered: true });
    const entered = await attemptSignIn(email);
    expect(entered).toMatchObject({ ok: true, actor: { role: 'agent', agentId: id, emailVerified: true } });
    expect(await registrationState(visitorContext(db), { id, token })).toEqual({ state: 'registered' });
    expect(await registrationState(visitorContext(db), { id, token: null })).toEqual({ state: 'registered' });
    expect(await registerSeller(visitorContext(db), { id, token, ...form(email, OTHER_PASSWORD) })).toEqual({
      ok: false,
      reason: 'registered',
    });
    expect(await attemptSignIn(email, OTHER_PASSWORD)).toMatchObject({ ok: false });
  });

  it('with the id alone shows nothing and keeps nothing, but mails a link to the invited address', async () => {
    const { email, id, token } = await invite();
    const byId = { id, token: null };
    expect(await registrationState(visitorContext(db), byId)).toEqual({ state: 'ready', proven: false });
    const submit = (typed: object) => registerSeller(visitorContext(db), { ...byId, ...typed });
    expect(await submit({ password: 'short', confirm: 'other' })).toEqual({
      ok: false,
      reason: 'typed',
      errors: {
        password: 'Password must be at least 8 characters',
        confirm: 'Passwords do not match',
      },
    });
    expect(await submit(form('mallory@example.test', OTHER_PASSWORD))).toEqual({ ok: true, proven: false });
    expect(await record(id)).toMatchObject({ user_id: null, is_registered: false });
    expect(await db.q().selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([]);
    expect(await mailbox(db, 'mallory@example.test')).toEqual([]);
    expect(await attemptSignIn(email, OTHER_PASSWORD)).toMatchObject({ ok: false });

    const mails = await mailbox(db, email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your invitation to sell',
      'Your invitation to sell',
    ]);
    for (const mail of mails)
      expect(await registrationState(visitorContext(db), { id, token: mail.token })).toMatchObject({ email });
    expect(await registerSeller(visitorContext(db), { id, token, ...form(email) })).toMatchObject({
      ok: true,
    });
    expect(await attemptSignIn(email)).toMatchObject({ ok: true, actor: { agentId: id } });
    expect(await submit(form(email))).toEqual({ ok: false, reason: 'registered' });
    expect(await mailbox(db, email)).toHaveLength(2);
  });

  it('mails few links for the id alone, and they stay valid', async () => {
    let now = Math.ceil(Date.now() / DAY) * DAY;
    const { email, id, token } = await invite();
    for (let count = 0; count < 12; count += 1) {
      const ctx = visitorContext(db, { now: () => new Date(now) });
      expect(await registerSeller(ctx, { id, token: null, ...form(email) })).toEqual({
        ok: true,
        proven: false,
      });
      if (count % 2) now += MINUTE;
    }
    expect(await mailbox(db, email)).toHaveLength(6);
    expect(await registrationState(visitorContext(db), { id, token })).toMatchObject({
      state: 'ready',
      email,
    });
  });

  /** A passkey, an authenticator app and a recovery code of whoever opened an account. */
  async function setUpFactors(user_id: string): Promise<void> {
    const q = db.q();
    const passkey = { credential_id: user_id, public_key: Buffer.from('key'), counter: 0, name: 'Phone' };
    await q
      .insertInto('passkeys')
      .values({ user_id, ...passkey })
      .execute();
    await q.insertInto('authenticators').values({ user_id, secret: 'sealed', last_step: 0 }).execute();
    await q.insertInto('recovery_codes').values({ user_id, code_hash: 'hash' }).execute();
    expect(await factorsOf(user_id)).toEqual([1, 1, 1]);
  }
  const factorsOf = (userId: string) =>
    Promise.all(
      (['passkeys', 'authenticators', 'recovery_codes'] as const).map(
        async (table) =>
          (await db.q().selectFrom(table).select('user_id').where('user_id', '=', userId).execute()).length,
      ),
    );

  it('takes over an incomplete account, but never a confirmed one', async () => {
    const stranger = `stranger-${Date.now()}@example.test`;
    await createAccount(db, stranger);
    expect(await attemptBuyerSignIn(db, stranger)).toMatchObject({ ok: true });
    await requestPasswordReset(visitorContext(db), { email: stranger });
    const strangers = () =>
      sql<object>`select u.name, u.email_verified,
        (select count(*) from sessions s where s.user_id = u.id) as sessions,
        (select count(*) from credentials c where c.user_id = u.id) as credentials,
        (select count(*) from verifications v where v.value = u.id::text) as links
        from users u where u.email = ${stranger}`.execute(db.q());
    const { rows: before } = await strangers();
    expect(before).toMatchObject([{ email_verified: true, sessions: 1, credentials: 1, links: 1 }]);

    // Somebody signed up as a buyer with the address and never confirmed it.
    const first = await invite();
    await signUp(visitorContext(db), { email: first.email, password: OTHER_PASSWORD, userAgent: null });
    expect(await registerSeller(visitorContext(db), { ...first, ...form(first.email) })).toMatchObject({
      ok: true,
    });
    expect(await attemptSignIn(first.email)).toMatchObject({
      ok: true,
      actor: { role: 'agent', agentId: first.id },
    });

    // A seller account without a seller record.
    const second = await invite();
    const userId = await createAccount(db, second.email, 'buyer');
    await db.q().updateTable('profiles').set({ role: 'agent' }).where('id', '=', userId).execute();
    await setUpFactors(userId);
    expect(
      await registerSeller(visitorContext(db), { ...second, ...form(second.email, OTHER_PASSWORD) }),
    ).toMatchObject({
      ok: true,
    });
    expect(await record(second.id)).toMatchObject({ user_id: userId, is_registered: true });
    expect(await attemptSignIn(second.email, OTHER_PASSWORD)).toMatchObject({ ok: true });
    expect(await factorsOf(userId)).toEqual([0, 0, 0]);

    expect((await strangers()).rows).toEqual(before);

    // The account of a buyer with a confirmed address is left alone.
    const third = await invite();
    await createAccount(db, third.email);
    expect(
      await registerSeller(visitorContext(db), { ...third, ...form(third.email, OTHER_PASSWORD) }),
    ).toEqual({
      ok: false,
      reason: 'account_exists',
    });
    expect(await record(third.id)).toMatchObject({ user_id: null, is_registered: false });
    expect(await attemptSignIn(third.email, OTHER_PASSWORD)).toEqual({
      ok: false,
      reason: 'wrong_credentials',
    });
  });

  it('happens once for concurrent submissions', async () => {
    const { email, id, token } = await invite();
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => registerSeller(visitorContext(db), { id, token, ...form(email) })),
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
    const opened = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('entity', '=', 'user')
      .where('entity_id', '=', users[0]?.id ?? '')
      .execute();
    expect(opened).toEqual([{ action: 'account.open', after: { role: 'agent' } }]);
  });

  it('rejects links that are wrong, used, expired or replaced', async () => {
    let now = Date.now();
    const { email, id, token } = await invite(() => new Date(now));
    const look = (link: { id: string | null; token: string | null }) =>
      registrationState(visitorContext(db, { now: () => new Date(now) }), link);
    const invalid = { state: 'invalid' };
    expect(await look({ id: null, token: null })).toEqual(invalid);
    expect(await look({ id: "' or 1=1 --", token })).toEqual(invalid);
    expect(await look({ id: crypto.randomUUID(), token })).toEqual({ state: 'unknown' });
    expect(await look({ id, token: 'made-up-made-up-made-up' })).toEqual(invalid);
    const other = await invite();
    expect(await look({ id, token: other.token })).toEqual(invalid);
    expect(await registerSeller(visitorContext(db), { id, token: other.token, ...form(email) })).toEqual({
      ok: false,
      reason: 'invalid',
    });

    const standing = system(() => new Date(now));
    const again = await resendInvitation(standing, { sellerId: id });
    if (again.isPasswordReset) throw new Error('already registered');
    expect(await look({ id, token })).toEqual(invalid);
    const fresh = new URL(again.link).searchParams.get('token');
    expect(await look({ id, token: fresh })).toMatchObject({ state: 'ready' });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute();
    expect(audited.map(({ action }) => action)).toEqual(['seller.invite', 'seller.invite_again']);
    await expect(resendInvitation(standing, { sellerId: id })).rejects.toThrow('Too many attempts');

    now += 7 * DAY + MINUTE;
    expect(await look({ id, token: fresh })).toEqual(invalid);
    await db.q().updateTable('agents').set({ archived_at: new Date() }).where('id', '=', other.id).execute();
    expect(await look({ id: other.id, token: other.token })).toEqual(invalid);
    for (const sellerId of [other.id, crypto.randomUUID()])
      await expect(resendInvitation(system(), { sellerId })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('reports invalid fields with the messages of the form', async () => {
    const { email, id, token } = await invite();
    const errorsOf = async (typed: object) => {
      const result = await registerSeller(visitorContext(db), { id, token, ...form(email), ...typed });
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

  it('is tried twenty times an hour from a network', async () => {
    const { email, id, token } = await invite();
    const now = new Date();
    const ctx = visitorContext(db, { ip: '198.51.100.70', now: () => now });
    for (let count = 1; count < 20; count += 1)
      await takeTokens(ctx, sellerLimits.register, 'ip:198.51.100.70');
    const wrong = await registerSeller(ctx, { id, token: 'another-token-altogether', ...form(email) });
    expect(wrong).toMatchObject({ reason: 'invalid' });
    await expect(registerSeller(ctx, { id, token, ...form(email) })).rejects.toThrow(TooManyRequests);
  });

  it('concerns one seller: the invitations of others stay, and used ones stay on record', async () => {
    const [first, second] = [await invite(), await invite()];
    const invitations = () =>
      db
        .q()
        .selectFrom('agent_invitations')
        .select(['agent_id', 'token_hash', 'used_at'])
        .where('agent_id', 'in', [first.id, second.id])
        .orderBy('created_at')
        .execute();
    await registerSeller(visitorContext(db), { ...first, ...form(first.email) });
    const [used, open] = await invitations();
    expect(used).toMatchObject({ agent_id: first.id, used_at: expect.any(Date) });
    expect(open).toMatchObject({ agent_id: second.id, used_at: null });
    // What was used by another registration of the same seller stays as it was.
    await db
      .q()
      .updateTable('agent_invitations')
      .set({ used_at: new Date(0) })
      .where('agent_id', '=', first.id)
      .execute();
    const later = () => new Date(Date.now() + 2 * MINUTE);
    await db
      .q()
      .updateTable('users')
      .set({ email_verified: false })
      .where('email', '=', first.email)
      .execute();
    expect(await registrationState(visitorContext(db), first)).toEqual({ state: 'invalid' });
    const again = await resendInvitation(system(later), { sellerId: first.id });
    if (again.isPasswordReset) throw new Error('already registered');
    expect(await invitations()).toHaveLength(3);
    const token = new URL(again.link).searchParams.get('token');
    expect(
      await registerSeller(visitorContext(db), { id: first.id, token, ...form(first.email) }),
    ).toMatchObject({
      ok: true,
    });
    const after = await invitations();
    expect(after.find(({ token_hash }) => token_hash === used?.token_hash)?.used_at).toEqual(new Date(0));
    expect(after.find(({ agent_id }) => agent_id === second.id)?.used_at).toBeNull();
    expect(await registrationState(visitorContext(db), second)).toMatchObject({
      state: 'ready',
      proven: true,
    });
  });

  it('invites nobody twice, and nobody who has an account', async () => {
    const { email, id } = await invite();
    const again = (address: string, name = 'Somebody') => inviteSeller(system(), { name, email: address });
    expect(await again(email)).toEqual({ ok: false, reason: 'duplicate' });
    const buyer = `buyer-${crypto.randomUUID()}@example.test`;
    await createAccount(db, buyer);
    expect(await again(buyer)).toEqual({ ok: false, reason: 'address_taken' });
    // An account whose address nobody has confirmed is nobody's.
    const claimed = `claimed-${crypto.randomUUID()}@example.test`;
    await signUp(visitorContext(db), { email: claimed, password: PASSWORD, userAgent: null });
    expect(await again(claimed)).toMatchObject({ ok: true });
    expect(await again('nowhere', 'X')).toMatchObject({
      reason: 'invalid',
      errors: { name: 'Name must be at least 2 characters', email: 'Invalid email address' },
    });
    const { token } = { token: (await mailbox(db, email)).at(-1)?.token ?? '' };
    await registerSeller(visitorContext(db), { id, token, ...form(email) });
    expect(await resendInvitation(system(), { sellerId: id })).toEqual({ isPasswordReset: true });
    const reset = (await mailbox(db, email)).at(-1);
    expect(reset).toMatchObject({ subject: 'Reset your password', token: expect.stringMatching(/.{16}/) });
    expect(await attemptSignIn(email)).toMatchObject({ ok: true });
  });
});
