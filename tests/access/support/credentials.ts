import { hashPassword } from '#platform/auth/password.ts';
import type { Role, UserActor } from '#platform/context.ts';
import { PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { Scenario } from './scenario.ts';

const hashes = new Map<string, Promise<string>>();

/** Sets a user's password as sign-up would; the password shared by all tests unless `text` is given. */
export async function givePassword({ db }: Scenario, { id }: UserActor, text = PASSWORD): Promise<void> {
  const hash = hashes.get(text) ?? hashPassword(text);
  hashes.set(text, hash);
  const password = await hash;
  await db
    .q()
    .insertInto('credentials')
    .values({ user_id: id, account_id: id, provider_id: 'credential', password })
    .onConflict((conflict) => conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password }))
    .execute();
}

/** Creates a user who can sign in; `state` may be 'suspended', 'archived' or 'unconfirmed'. */
export async function createUserWithPassword(scenario: Scenario, role: Role, state = ''): Promise<UserActor> {
  const user = await createUser(scenario.db, role);
  await givePassword(scenario, user);
  const q = scenario.db.q();
  if (state === 'unconfirmed')
    await q.updateTable('users').set({ email_verified: false }).where('id', '=', user.id).execute();
  const agents = q.updateTable('agents').where('user_id', '=', user.id);
  if (state === 'suspended') await agents.set({ status: 'suspended' }).execute();
  if (state === 'archived') await agents.set({ archived_at: new Date() }).execute();
  return user;
}

/** The stored hash of a user's password. */
export async function credentialOf({ db }: Scenario, { id }: UserActor): Promise<string | null> {
  const row = await db
    .q()
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', id)
    .executeTakeFirst();
  return row?.password ?? null;
}

/** The ids of all stored sessions. */
export async function openSessions({ db }: Scenario): Promise<string[]> {
  const rows = await db.q().selectFrom('sessions').select('id').execute();
  return rows.map((row) => row.id);
}

/** Marks a user as still having to confirm the e-mail address and replace the password. */
export async function markSetupPending({ db }: Scenario, { id }: UserActor): Promise<void> {
  await db.q().updateTable('users').set({ email_verified: false }).where('id', '=', id).execute();
  await db.q().updateTable('profiles').set({ must_change_password: true }).where('id', '=', id).execute();
}

/** The flags that `markSetupPending` sets, as they are now. */
export async function setupStateOf({ db }: Scenario, { id }: UserActor) {
  return db
    .q()
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['email_verified', 'must_change_password'])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow();
}
