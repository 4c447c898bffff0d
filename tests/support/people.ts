import { randomUUID } from 'node:crypto';
import { type Actor, type Role, type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';

let count = 0;

/** A confirmed person with a profile, as the actor of a context; a seller comes with a registered seller record. */
export async function createPerson(
  db: Database,
  role: Role,
  overrides: { email?: string } = {},
): Promise<UserActor> {
  count += 1;
  const email = overrides.email ?? `${role}${count}-${randomUUID().slice(0, 8)}@example.test`;
  const name = `${role} ${count}`;
  const { id } = await db
    .q()
    .insertInto('users')
    .values({ name, email, email_verified: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.q().insertInto('profiles').values({ id, role }).execute();
  let agentId: string | null = null;
  if (role === 'agent') {
    const agent = await db
      .q()
      .insertInto('agents')
      .values({ name, email, user_id: id, registered_at: new Date('2026-01-01T00:00:00Z') })
      .returning('id')
      .executeTakeFirstOrThrow();
    agentId = agent.id;
  }
  return { kind: 'user', id, role, name, email, emailVerified: true, agentId, suspended: false };
}

/** One actor of each kind of the access matrix (R8); the suspended seller owns `suspendedListing`'s kind of things. */
export async function createCast(db: Database) {
  const [buyerA, buyerB, sellerA, sellerB, suspended, admin] = await Promise.all([
    createPerson(db, 'buyer'),
    createPerson(db, 'buyer'),
    createPerson(db, 'agent'),
    createPerson(db, 'agent'),
    createPerson(db, 'agent'),
    createPerson(db, 'admin'),
  ]);
  await db
    .q()
    .updateTable('agents')
    .set({ status: 'suspended' })
    .where('id', '=', suspended.agentId)
    .execute();
  return {
    anonymous: visitor as Actor,
    buyerA,
    buyerB,
    sellerA,
    sellerB,
    suspendedSeller: { ...suspended, suspended: true },
    admin,
  };
}
