import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  attemptSignIn,
  createAccount,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { openSellerAccount } from './open-seller-account.ts';
import { requestPasswordReset } from './request-password-reset.ts';

const NEW_PASSWORD = 'Brand-New-Secret-9';

await describeOnDatabase("opening an invited seller's account", (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const openFor = (email: string) =>
    openSellerAccount(visitorContext(db, { actor: { kind: 'system', name: 'registration' } }), {
      email,
      name: 'Ines Calloway',
      password: NEW_PASSWORD,
    });
  /** A buyer's account with all that somebody can sign in to it with, and a session. */
  async function createSignedInAccount(email: string): Promise<string> {
    const user_id = await createAccount(db, email);
    await signInCookie(db, email);
    await requestPasswordReset(visitorContext(db), { email });
    const q = db.q();
    const passkey = { credential_id: user_id, public_key: Buffer.from('key'), counter: 0, name: 'Phone' };
    await q
      .insertInto('passkeys')
      .values({ user_id, ...passkey })
      .execute();
    await q.insertInto('authenticators').values({ user_id, secret: 'sealed', last_step: 0 }).execute();
    await q.insertInto('recovery_codes').values({ user_id, code_hash: 'hash' }).execute();
    return user_id;
  }
  const signInsOf = async (userId: string) => {
    const { rows } = await db.pool.query<Record<string, number>>(
      `select (select count(*)::int from sessions where user_id = $1) as sessions,
        (select count(*)::int from credentials where user_id = $1) as passwords,
        (select count(*)::int from passkeys where user_id = $1) as passkeys,
        (select count(*)::int from authenticators where user_id = $1) as authenticators,
        (select count(*)::int from recovery_codes where user_id = $1) as recovery_codes,
        (select count(*)::int from verifications where value = $1::text) as links`,
      [userId],
    );
    return rows[0];
  };
  const all = { sessions: 1, passwords: 1, passkeys: 1, authenticators: 1, recovery_codes: 1, links: 1 };

  it('takes from an incomplete account all that opened it, and nothing from others', async () => {
    const other = await createSignedInAccount('bystander@acre.test');
    const incomplete = await createSignedInAccount('incomplete@acre.test');
    await db.q().updateTable('users').set({ email_verified: false }).where('id', '=', incomplete).execute();
    expect([await signInsOf(other), await signInsOf(incomplete)]).toEqual([all, all]);
    expect(await openFor('incomplete@acre.test')).toEqual({ ok: true, userId: incomplete });
    expect(await signInsOf(incomplete)).toEqual({
      sessions: 0,
      // The new one.
      passwords: 1,
      passkeys: 0,
      authenticators: 0,
      recovery_codes: 0,
      links: 0,
    });
    expect(await signInsOf(other)).toEqual(all);
  });

  it('leaves a complete account alone', async () => {
    await createAccount(db, 'complete@acre.test');
    await expect(openFor('complete@acre.test')).resolves.toEqual({ ok: false, reason: 'account_exists' });
    expect(await attemptSignIn(db, 'complete@acre.test', NEW_PASSWORD)).toMatchObject({ ok: false });
    expect(await attemptSignIn(db, 'complete@acre.test', PASSWORD)).toMatchObject({
      ok: true,
      actor: { role: 'buyer' },
    });
  });
});
