import { hashPassword } from '#platform/auth/password.ts';
import type { Role, UserActor } from '#platform/context.ts';
import { PASSWORD } from '#tests/support/accounts.ts';
import { createPerson } from '#tests/support/people.ts';
import type { Stage } from './stage.ts';

const hashes = new Map<string, Promise<string>>();

/** Gives a person a password, the one of all tests unless another is told, as signing up would. */
export async function givePassword({ db }: Stage, { id }: UserActor, text = PASSWORD): Promise<void> {
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

/** Someone new who can sign in: `state` 'suspended', 'archived' or 'unconfirmed' when it is so. */
export async function personWithPassword(stage: Stage, role: Role, state = ''): Promise<UserActor> {
  const person = await createPerson(stage.db, role);
  await givePassword(stage, person);
  const q = stage.db.q();
  if (state === 'unconfirmed')
    await q.updateTable('users').set({ email_verified: false }).where('id', '=', person.id).execute();
  const agents = q.updateTable('agents').where('user_id', '=', person.id);
  if (state === 'suspended') await agents.set({ status: 'suspended' }).execute();
  if (state === 'archived') await agents.set({ archived_at: new Date() }).execute();
  return person;
}

/** The stored hash of a person's password. */
export async function credentialOf({ db }: Stage, { id }: UserActor): Promise<string | null> {
  const row = await db
    .q()
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', id)
    .executeTakeFirst();
  return row?.password ?? null;
}

/** The ids of all sessions that have not ended. */
export async function openSessions({ db }: Stage): Promise<string[]> {
  const rows = await db.q().selectFrom('sessions').select('id').execute();
  return rows.map((row) => row.id);
}

/** Marks a person as one who has yet to confirm the address and to replace the password. */
export async function leaveUnfinished({ db }: Stage, { id }: UserActor): Promise<void> {
  await db.q().updateTable('users').set({ email_verified: false }).where('id', '=', id).execute();
  await db.q().updateTable('profiles').set({ must_change_password: true }).where('id', '=', id).execute();
}

/** What is left of `leaveUnfinished`. */
export async function unfinishedOf({ db }: Stage, { id }: UserActor) {
  return db
    .q()
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['email_verified', 'must_change_password'])
    .where('users.id', '=', id)
    .executeTakeFirstOrThrow();
}
