import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { finishSignIn } from '#features/accounts/commands/finish-sign-in.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import type { LoginRole } from '#features/accounts/rules.ts';
import { codeAt, stepAt } from '#platform/auth/factors/totp.ts';
import { ProofRequired } from '#platform/auth/fresh-proof.ts';
import { resolveSession } from '#platform/auth/session.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { Forbidden, TooManyRequests } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createAccount, mailbox, PASSWORD, visitorContext } from '#tests/support/fixtures/accounts.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';
import { addAuthenticator } from './commands/add-authenticator.ts';
import { removeAuthenticator } from './commands/remove-authenticator.ts';
import { renewRecoveryCodes } from './commands/renew-recovery-codes.ts';
import { resetFactors } from './commands/reset-factors.ts';
import { lockFactors } from './own-factors.ts';
import { authenticatorAgain, newAuthenticator, ownFactors, proofChoices } from './reads.ts';

await describeOnDatabase('second factors', (open, kind) => {
  let db: Database;
  let start: Date;
  let count = 0;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    start = new Date();
    await db.q().deleteFrom('rate_limits').execute();
  });
  const at = (milliseconds: number) => new Date(start.getTime() + milliseconds);
  const as = (actor: UserActor, now = start): Ctx => visitorContext(db, { actor, now: () => now });

  /** Sets up an authenticator app; its secret and the recovery codes. */
  async function setUp(actor: UserActor) {
    const offered = await newAuthenticator(as(actor));
    const secret = offered.secret.replaceAll(' ', '');
    const code = codeAt(secret, stepAt(start));
    const result = await addAuthenticator(as(actor), { setUp: offered.setUp, code });
    if (!result.ok) throw new Error(result.error);
    return { secret, codes: result.recoveryCodes ?? [] };
  }
  async function buyerWithPassword() {
    count += 1;
    const email = `buyer-${count}@acre.test`;
    const id = await createAccount(db, email);
    return { ...(await createUser(db, 'buyer')), id, email };
  }
  async function firstStep(email: string, now = start, loginRole: LoginRole = 'buyer') {
    const result = await signIn(visitorContext(db, { now: () => now }), {
      loginRole,
      email,
      password: PASSWORD,
      userAgent: null,
      currentSessionId: null,
    });
    if (result.ok || result.reason !== 'second_step') throw new Error('no second step');
    return result.step;
  }
  const second = (step: string, given: { code?: string; recoveryCode?: string }, now = start) =>
    finishSignIn(visitorContext(db, { now: () => now }), {
      step,
      ...given,
      userAgent: null,
      currentSessionId: null,
    });
  const subjects = async ({ email }: UserActor) => (await mailbox(db, email)).map(({ subject }) => subject);

  it('are asked for after the password, and a code works once', async () => {
    const buyer = await buyerWithPassword();
    const { secret } = await setUp(buyer);
    const step = await firstStep(buyer.email);
    const later = at(30_000);
    const code = codeAt(secret, stepAt(later));
    expect(await second(step, { code: '000000' }, later)).toEqual({ ok: false, reason: 'wrong' });
    // The code that confirmed the app is used up.
    expect(await second(step, { code: codeAt(secret, stepAt(start)) }, start)).toMatchObject({ ok: false });
    const done = await second(step, { code }, later);
    expect(done).toMatchObject({ ok: true, loginRole: 'buyer', actor: { id: buyer.id, role: 'buyer' } });
    const cookie = done.ok ? (done.cookies[0]?.split(';')[0] ?? '') : '';
    const request = new Request('http://localhost:3000/', { headers: { cookie } });
    expect((await resolveSession(visitorContext(db), request)).actor).toMatchObject({ id: buyer.id });
    expect(await second(step, { code }, later)).toEqual({ ok: false, reason: 'wrong' });
    const both = codeAt(secret, stepAt(at(90_000)));
    const raced = await Promise.all([
      second(step, { code: both }, at(90_000)),
      second(step, { code: both }, at(90_000)),
    ]);
    expect(raced.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await subjects(buyer)).toContain('An authenticator app was added to your account');
  });

  it('end their step after ten minutes, with a new password, and when it is made up', async () => {
    const buyer = await buyerWithPassword();
    const { secret } = await setUp(buyer);
    const step = await firstStep(buyer.email);
    const late = at(10 * MINUTE);
    const expired = { ok: false, reason: 'expired' };
    expect(await second(step, { code: codeAt(secret, stepAt(late)) }, late)).toEqual(expired);
    expect(await second('made up', { code: '123456' })).toEqual(expired);
    await db
      .q()
      .updateTable('credentials')
      .set({ password: 'another hash' })
      .where('user_id', '=', buyer.id)
      .execute();
    expect(await second(step, { code: codeAt(secret, stepAt(at(30_000))) }, at(30_000))).toEqual(expired);
  });

  it('admit nobody whose account has lost its access since the password', async () => {
    const email = 'archived-meanwhile@acre.test';
    const seller = { ...(await createUser(db, 'agent')), id: await createAccount(db, email, 'agent'), email };
    const { secret } = await setUp(seller);
    const later = at(30_000);
    const step = await firstStep(email, later, 'agent');
    const archived = db.q().updateTable('agents').set({ archived_at: later });
    await archived.where('user_id', '=', seller.id).execute();
    await expect(second(step, { code: codeAt(secret, stepAt(later)) }, later)).resolves.toEqual({
      ok: false,
      reason: 'expired',
    });
  });

  it('cannot be guessed: five attempts in five minutes', async () => {
    const buyer = await buyerWithPassword();
    const { secret } = await setUp(buyer);
    const step = await firstStep(buyer.email);
    for (let attempt = 0; attempt < 5; attempt += 1) await second(step, { code: '000000' });
    const code = codeAt(secret, stepAt(at(30_000)));
    await expect(second(step, { code })).rejects.toThrow(TooManyRequests);
    await expect(second(await firstStep(buyer.email), { code })).rejects.toThrow(TooManyRequests);
  });

  it('come with recovery codes, each of which works once, is stored as a hash and is mailed about', async () => {
    const buyer = await buyerWithPassword();
    const { codes } = await setUp(buyer);
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^(?:[a-z2-9]{6}-){3}[a-z2-9]{6}$/);
    const stored = await db.q().selectFrom('recovery_codes').selectAll().execute();
    for (const code of codes) expect(JSON.stringify(stored)).not.toContain(code.slice(0, 6));
    const [used = '', other = ''] = codes;
    const step = await firstStep(buyer.email);
    expect(
      await second(step, { recoveryCode: ` ${used.toUpperCase().replaceAll('-', ' ')} ` }),
    ).toMatchObject({ ok: true });
    expect(await second(step, { recoveryCode: used })).toEqual({ ok: false, reason: 'wrong' });
    expect(await ownFactors(as(buyer))).toMatchObject({ recoveryCodes: 9 });
    expect(await renewRecoveryCodes(as(buyer))).toHaveLength(10);
    expect(await second(step, { recoveryCode: other })).toEqual({ ok: false, reason: 'wrong' });
    expect(await subjects(buyer)).toEqual(
      expect.arrayContaining(['A recovery code was used to sign in', 'Your recovery codes were replaced']),
    );
  });

  it('are set up with a code of the app alone, by whoever began it and has just proved who they are', async () => {
    const buyer = await createUser(db, 'buyer');
    const { setUp: begun, secret: shown } = await newAuthenticator(as(buyer));
    const secret = shown.replaceAll(' ', '');
    const code = codeAt(secret, stepAt(start));
    const attempt = (actor: UserActor, input = { setUp: begun, code }, now = start) =>
      addAuthenticator(as(actor, now), input);
    await expect(attempt(buyer, { setUp: begun, code: '000000' })).resolves.toMatchObject({ ok: false });
    expect(await attempt(await createUser(db, 'buyer'))).toMatchObject({ ok: false });
    expect(await attempt(buyer, { setUp: 'made up', code })).toMatchObject({ ok: false });
    const late = at(HOUR + MINUTE);
    expect(await attempt(buyer, { setUp: begun, code: codeAt(secret, stepAt(late)) }, late)).toEqual({
      ok: false,
      error: 'This set-up has expired. Please start again.',
    });
    await expect(attempt({ ...buyer, provedAt: null })).rejects.toThrow(ProofRequired);
    expect((await authenticatorAgain(as(buyer), begun))?.secret).toBe(shown);
    expect(await attempt(buyer)).toMatchObject({ ok: true });
    expect(await attempt(buyer)).toMatchObject({ ok: false });
    const { secret: stored } = await db
      .q()
      .selectFrom('authenticators')
      .select('secret')
      .where('user_id', '=', buyer.id)
      .executeTakeFirstOrThrow();
    expect(stored).not.toContain(secret);
  });

  it('of others prove nothing about oneself', async () => {
    const [one, other] = [await createUser(db, 'buyer'), await createUser(db, 'buyer')];
    await setUp(one);
    expect(await proofChoices(as(one))).toEqual({ code: true, passkey: null });
    expect(await proofChoices(as(other))).toEqual({ code: false, passkey: null });
  });

  it('of others stay when one removes their own', async () => {
    const [one, other, without] = [
      await createUser(db, 'buyer'),
      await createUser(db, 'buyer'),
      await createUser(db, 'buyer'),
    ];
    await setUp(one);
    await setUp(other);
    expect(await removeAuthenticator(as(without))).toEqual({ ok: false, reason: 'gone' });
    expect(await removeAuthenticator(as(one))).toEqual({ ok: true });
    expect(await ownFactors(as(other))).toMatchObject({
      authenticator: expect.anything(),
      recoveryCodes: 10,
    });
    expect(await ownFactors(as(one))).toMatchObject({ authenticator: null, recoveryCodes: 0 });
  });

  it.runIf(kind === 'server')('are locked one account at a time', async () => {
    const [one, other] = [await createUser(db, 'buyer'), await createUser(db, 'buyer')];
    const lock = (id: string) =>
      db.pool.query('select from users where id = $1 for update nowait', [id]).then(
        () => 'free',
        () => 'locked',
      );
    await db.tx(async () => {
      await lockFactors(as(one), one.id);
      expect([await lock(one.id), await lock(other.id)]).toEqual(['locked', 'free']);
    });
  });

  it('are removed with the recovery codes; an administrator keeps one, but not in the demo', async () => {
    const admin = await createUser(db, 'admin');
    await setUp(admin);
    expect(await removeAuthenticator(as(admin))).toEqual({ ok: false, reason: 'last_factor' });
    await expect(removeAuthenticator(as({ ...admin, provedAt: null }))).rejects.toThrow(ProofRequired);
    const inDemo = { ...as(admin), config: { ...testConfig, demo: true } };
    expect(await removeAuthenticator(inDemo)).toEqual({ ok: true });
    expect(await removeAuthenticator(inDemo)).toEqual({ ok: false, reason: 'gone' });
    expect(await ownFactors(as(admin))).toEqual({
      authenticator: null,
      passkeys: [],
      recoveryCodes: 0,
      required: true,
    });
    expect(await renewRecoveryCodes(as(admin))).toBeNull();
    expect(await subjects(admin)).toEqual([
      'An authenticator app was added to your account',
      'The authenticator app was removed from your account',
    ]);
  });

  it('are reset by the operator alone, which ends all sessions and is mailed', async () => {
    const buyer = await buyerWithPassword();
    await setUp(buyer);
    const other = await createUser(db, 'buyer');
    await setUp(other);
    for (const { id } of [buyer, other]) {
      await startSession(db, testConfig, id);
      await db
        .q()
        .insertInto('passkeys')
        .values({
          user_id: id,
          name: 'Passkey',
          credential_id: id,
          public_key: Buffer.from('key'),
          counter: 0,
          created_at: start,
        })
        .execute();
    }
    const kept = async ({ id }: UserActor) => {
      const { passkeys, authenticator, recoveryCodes } = await ownFactors(
        as(id === buyer.id ? buyer : other),
      );
      const sessions = await db.q().selectFrom('sessions').select('id').where('user_id', '=', id).execute();
      return [passkeys.length, authenticator ? 1 : 0, recoveryCodes, sessions.length];
    };
    await expect(resetFactors(as(await createUser(db, 'admin')), buyer)).rejects.toThrow(Forbidden);
    const operator = visitorContext(db, { actor: { kind: 'system', name: 'admin:reset-factors' } });
    expect(await resetFactors(operator, { email: ` ${buyer.email.toUpperCase()}` })).toEqual({
      ok: true,
      removed: 2,
    });
    expect(await kept(buyer)).toEqual([0, 0, 0, 0]);
    expect(await kept(other)).toEqual([1, 1, 10, 1]);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('before')
      .where('action', '=', 'factor.reset')
      .where('entity_id', '=', buyer.id)
      .execute();
    expect(audited).toEqual([{ before: { factors: 2 } }]);
    expect(await resetFactors(operator, { email: 'nobody@acre.test' })).toEqual({
      ok: false,
      reason: 'unknown',
    });
    const result = await signIn(visitorContext(db), {
      loginRole: 'buyer',
      email: buyer.email,
      password: PASSWORD,
      userAgent: null,
      currentSessionId: null,
    });
    expect(result.ok).toBe(true);
    expect(await subjects(buyer)).toContain('Your second sign-in factors were removed');
  });
});
