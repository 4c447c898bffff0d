import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { finishSignIn } from '#features/accounts/commands/finish-sign-in.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { signInWithPasskey } from '#features/accounts/commands/sign-in-with-passkey.ts';
import { signInStepChoices } from '#features/accounts/reads.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createAccount, mailbox, PASSWORD, visitorContext } from '#tests/support/fixtures/accounts.ts';
import { softPasskey } from '#tests/support/fixtures/passkey.ts';
import { createUser, giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { addPasskey } from './commands/add-passkey.ts';
import { removePasskey, renamePasskey } from './commands/change-passkey.ts';
import { proveIdentity } from './commands/prove-identity.ts';
import type { PasskeyRequest } from './model.ts';
import { ownFactors, passkeyToAdd, proofChoices } from './reads.ts';

await describeOnDatabase('passkeys', (open, kind) => {
  let db: Database;
  let buyer: UserActor;
  let count = 0;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await db.q().deleteFrom('rate_limits').execute();
    count += 1;
    const email = `buyer-${count}@acre.test`;
    const id = await createAccount(db, email);
    buyer = { ...(await createUser(db, 'buyer')), id, email };
  });
  const as = (actor: UserActor): Ctx => visitorContext(db, { actor });
  const browser = { userAgent: null, currentSessionId: null };

  async function added(name = 'My phone') {
    const device = softPasskey();
    const passkey = device.make(await passkeyToAdd(as(buyer)));
    expect(await addPasskey(as(buyer), { passkey, name })).toMatchObject({ ok: true });
    return device;
  }
  const own = async () => (await ownFactors(as(buyer))).passkeys;
  const toSignIn = async (
    sealed: string | null = null,
    ctx = visitorContext(db),
  ): Promise<PasskeyRequest> => {
    const { passkey } = await signInStepChoices(ctx, sealed);
    if (!passkey) throw new Error('no passkey is asked for');
    return passkey;
  };
  const signInBy = (passkey: string, ctx = visitorContext(db)) =>
    signInWithPasskey(ctx, { loginRole: 'buyer', passkey, ...browser });

  it('are added with a name, renamed and removed, and their owner is mailed', async () => {
    await added('  My\nphone ');
    const [passkey] = await own();
    expect(passkey).toMatchObject({ name: 'My phone', lastUsedAt: null });
    const passkeyId = passkey?.id ?? '';
    const stranger = as(await createUser(db, 'buyer'));
    expect(await renamePasskey(stranger, { passkeyId, name: 'Mine' })).toBe(false);
    expect(await removePasskey(stranger, { passkeyId })).toEqual({ ok: false, reason: 'gone' });
    expect(await renamePasskey(as(buyer), { passkeyId, name: ' ' })).toBe(true);
    expect((await own()).map(({ name }) => name)).toEqual(['Passkey']);
    expect(await removePasskey(as(buyer), { passkeyId })).toEqual({ ok: true });
    expect(await ownFactors(as(buyer))).toMatchObject({ passkeys: [], recoveryCodes: 0 });
    const subjects = (await mailbox(db, buyer.email)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      'Confirm your email address',
      'The passkey "My phone" was added to your account',
      'The passkey "Passkey" was removed from your account',
    ]);
  });

  it('are made for this site, this account and this request', async () => {
    const request = await passkeyToAdd(as(buyer));
    const refused = { ok: false, error: 'The passkey was not accepted. Please try again.' };
    const elsewhere = softPasskey('https://acre.example').make(await passkeyToAdd(as(buyer)));
    for (const passkey of [elsewhere, '', 'null', '{}', '{"id":"x","response":{}}'])
      await expect(addPasskey(as(buyer), { passkey, name: '' })).resolves.toEqual(refused);
    const passkey = softPasskey().make(request);
    expect(await addPasskey(as(await createUser(db, 'buyer')), { passkey, name: '' })).toEqual(refused);
    expect(await addPasskey(as(buyer), { passkey, name: '' })).toMatchObject({
      ok: true,
      recoveryCodes: expect.arrayContaining([expect.any(String)]),
    });
    // Neither the same one nor another one by a request that was answered.
    expect(await addPasskey(as(buyer), { passkey: softPasskey().make(request), name: '' })).toEqual(refused);
    expect(await own()).toHaveLength(1);
  });

  it('are added once, by one account, and at most twenty', async () => {
    const refused = { ok: false, error: 'The passkey was not accepted. Please try again.' };
    const device = await added();
    const add = async (actor: UserActor, from = softPasskey()) =>
      addPasskey(as(actor), { passkey: from.make(await passkeyToAdd(as(actor))), name: '' });
    expect(await add(buyer, device)).toEqual(refused);
    expect(await add(await createUser(db, 'buyer'), device)).toEqual(refused);
    const one = await db
      .q()
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', buyer.id)
      .executeTakeFirstOrThrow();
    await db
      .q()
      .insertInto('passkeys')
      .values(
        Array.from({ length: 19 }, (_, n) => ({
          ...one,
          id: randomUUID(),
          credential_id: `${one.credential_id}${n}`,
        })),
      )
      .execute();
    expect(await add(buyer)).toEqual({
      ok: false,
      error: 'An account can have 20 passkeys. Remove one first.',
    });
    expect(await own()).toHaveLength(20);
  });

  it('of an administrator are not all removed', async () => {
    buyer = await createUser(db, 'admin');
    await added();
    const [passkey] = await own();
    const passkeyId = passkey?.id ?? '';
    expect(await removePasskey(as(buyer), { passkeyId })).toEqual({ ok: false, reason: 'last_factor' });
    await added('Another');
    expect(await removePasskey(as(buyer), { passkeyId })).toEqual({ ok: true });
  });

  it('sign in without a password, once for each request, within half an hour', async () => {
    const device = await added();
    const passkey = device.use(await toSignIn());
    const result = await signInBy(passkey);
    expect(result).toMatchObject({ ok: true, actor: { id: buyer.id } });
    expect((await own())[0]?.lastUsedAt).not.toBeNull();
    expect(await signInBy(passkey)).toEqual({ ok: false, reason: 'wrong' });
    const late = visitorContext(db, { now: () => new Date(Date.now() + 31 * MINUTE) });
    expect(await signInBy(device.use(await toSignIn()), late)).toEqual({ ok: false, reason: 'wrong' });
    const wrongDoor = await signInWithPasskey(visitorContext(db), {
      loginRole: 'admin',
      passkey: device.use(await toSignIn()),
      ...browser,
    });
    expect(wrongDoor).toMatchObject({ reason: 'wrong_login', message: 'Unauthorized: Admin access only' });
    expect(await signInBy(softPasskey().use(await toSignIn()))).toEqual({ ok: false, reason: 'wrong' });
  });

  it('of which somebody made a copy are refused by their counter', async () => {
    const device = await added();
    expect(await signInBy(device.use(await toSignIn()))).toMatchObject({ ok: true });
    device.rewind();
    expect(await signInBy(device.use(await toSignIn()))).toEqual({ ok: false, reason: 'wrong' });
  });

  it('are the second step after the password, and a fresh proof', async () => {
    const device = await added();
    const first = await signIn(visitorContext(db), {
      loginRole: 'buyer',
      email: buyer.email,
      password: PASSWORD,
      ...browser,
    });
    const step = first.ok || first.reason !== 'second_step' ? '' : first.step;
    // An app that another account has set up is none of this one's.
    await giveAuthenticator(db, (await createUser(db, 'buyer')).id);
    expect((await signInStepChoices(visitorContext(db), step)).step).toEqual({
      loginRole: 'buyer',
      code: false,
    });
    const finish = (passkey: string) => finishSignIn(visitorContext(db), { step, passkey, ...browser });
    // A request without a first step is no answer to the second one.
    expect(await finish(device.use(await toSignIn()))).toEqual({ ok: false, reason: 'wrong' });
    expect(await finish(device.use(await toSignIn(step)))).toMatchObject({ ok: true });
    const { id: sessionId } = await db
      .q()
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', buyer.id)
      .executeTakeFirstOrThrow();
    const prove = (passkey: string) =>
      proveIdentity(as(buyer), { sessionId, password: '', code: '', passkey });
    const { passkey: request } = await proofChoices(as(buyer));
    const passkey = request ? device.use(request) : '';
    expect(await prove(device.use(await toSignIn(step)))).toMatchObject({ ok: false });
    expect(await prove(passkey)).toMatchObject({ ok: true });
    expect(await prove(passkey)).toMatchObject({ ok: false });
  });

  // The embedded database has one connection, on which nothing else runs while a transaction does.
  it.skipIf(kind === 'embedded').each(['alone', 'as the second step'])(
    'sign in %s while they are removed: neither waits for the other for good',
    async (way) => {
      const device = await added();
      const [passkey] = await own();
      const held = holdStatement(db, /insert into "sessions"/);
      const ctx = visitorContext(held.db);
      const first = await signIn(visitorContext(db), {
        loginRole: 'buyer',
        email: buyer.email,
        password: PASSWORD,
        ...browser,
      });
      const step = first.ok || first.reason !== 'second_step' ? '' : first.step;
      const signingIn =
        way === 'alone'
          ? signInBy(device.use(await toSignIn()), ctx)
          : finishSignIn(ctx, { step, passkey: device.use(await toSignIn(step)), ...browser });
      await held.reached;
      const removal = removePasskey(as(buyer), { passkeyId: passkey?.id ?? '' });
      await untilItWaits(db, removal);
      held.letGo();
      const [signedIn, removed] = await Promise.all([signingIn, removal]);
      expect([signedIn, removed]).toMatchObject([{ ok: true }, { ok: true }]);
    },
  );
});
