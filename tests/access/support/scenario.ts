import { randomUUID } from 'node:crypto';
import { type Actor, type Ctx, type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createActors } from '#tests/support/fixtures/users.ts';
import { type ActorName, UNPROVEN } from './access-table.ts';

type Cast = Awaited<ReturnType<typeof createActors>>;

/** The kinds of listings that differ in visibility, as named in the tables: seller A's and the suspended seller's. */
export const listingKinds = [
  'A’s Active',
  'A’s pending',
  'A’s changes_requested',
  'A’s rejected',
  'A’s withdrawn',
  'A’s escrow',
  'A’s Sold',
  'A’s deleted',
  'suspended seller’s Active',
  'suspended seller’s Sold',
] as const;

/** A database with the users of the access matrix, and helpers to add data to it. */
export interface Scenario {
  db: Database;
  cast: Cast;
  /** the actor's context, with its own IP address and request id */
  ctx(actor: ActorName, now?: Date): Ctx;
  /** the user of a column; throws for the anonymous visitor */
  person(actor: ActorName): UserActor;
  /** creates a listing of one of `listingKinds` and returns its id */
  listing(kind: string, facts?: Parameters<typeof createListing>[2]): Promise<string>;
  /** creates a session as signing in does and returns its id */
  session(owner: UserActor, values?: { expires_at?: Date; proved_at?: null }): Promise<string>;
}

let requests = 0;

export async function createScenario(db: Database): Promise<Scenario> {
  const cast = await createActors(db);
  const actorOf = (name: ActorName): Actor => {
    if (name === UNPROVEN) return { ...cast.admin, provedAt: null };
    return cast[name === 'suspended' ? 'suspendedSeller' : name];
  };
  const person = (name: ActorName): UserActor => {
    const actor = actorOf(name);
    if (actor.kind !== 'user') throw new Error(`${name} is nobody`);
    return actor;
  };
  return {
    db,
    cast,
    person,
    ctx(name, now) {
      requests += 1;
      const ip = `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
      return testContext(db, {
        actor: actorOf(name) ?? visitor,
        requestId: `cell-${requests}`,
        ip,
        now: () => now ?? new Date(),
      });
    },
    listing(kind, facts = {}) {
      const [seller, status = ''] = kind.split('’s ');
      if (!listingKinds.some((known) => known === kind)) throw new Error(`No kind of listing: ${kind}`);
      const gone = status === 'deleted';
      return createListing(db, person(seller === 'A' ? 'sellerA' : 'suspended').agentId, {
        ...facts,
        status: (gone ? 'Active' : status) as 'Active',
        deleted_at: gone ? new Date() : null,
      });
    },
    async session(owner, values = {}) {
      const expires_at = new Date(Date.now() + DAY);
      const row = await db
        .q()
        .insertInto('sessions')
        .values({ user_id: owner.id, token: randomUUID(), expires_at, user_agent: null, ...values })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
  };
}

/** A seller's record as it is now. */
export const agentRecord = ({ db }: Scenario, agentId: string | null) =>
  db.q().selectFrom('agents').selectAll().where('id', '=', agentId).executeTakeFirstOrThrow();
