import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { type Actor, type Ctx, type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DEAD_LETTERS } from '#platform/jobs/enqueue.ts';
import { testContext } from '#tests/support/context.ts';
import { createListing } from '#tests/support/listings.ts';
import { createCast } from '#tests/support/people.ts';
import type { ActorName } from './table.ts';

type Cast = Awaited<ReturnType<typeof createCast>>;

/** The kinds of listings whose visibility differs, by their names in the tables: seller A's, and one of the suspended. */
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

/** One database with the cast of the matrix, and the means to put things on it. */
export interface Stage {
  db: Database;
  cast: Cast;
  /** the actor's context with an address and a request of its own */
  ctx(actor: ActorName, now?: Date): Ctx;
  /** the person behind a column; fails for the visitor */
  person(actor: ActorName): UserActor;
  /** a new listing of one of `listingKinds`; its id */
  listing(kind: string, facts?: Parameters<typeof createListing>[2]): Promise<string>;
  /** an open session of a person, as signing in leaves one; its id */
  session(owner: UserActor, values?: { expires_at?: Date }): Promise<string>;
}

let requests = 0;

export async function setStage(db: Database): Promise<Stage> {
  const cast = await createCast(db);
  const actorOf = (name: ActorName): Actor => cast[name === 'suspended' ? 'suspendedSeller' : name];
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
    async session(owner, { expires_at = new Date(Date.now() + 86_400_000) } = {}) {
      const row = await db
        .q()
        .insertInto('sessions')
        .values({ user_id: owner.id, token: randomUUID(), expires_at, user_agent: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
  };
}

/** Counters of tries are no business data: a refused try counts too. */
const UNCOUNTED = ['rate_limits'];
/** Queues that no process works on: of dead letters, and the sandbox's where there is none. */
const NOBODYS = [DEAD_LETTERS, 'sandbox.deliver'];
let tables: string[] | undefined;

/** Waits until the jobs that earlier requests added are through, so that what changes afterwards is the next request's doing. */
export async function settled(db: Database): Promise<void> {
  const open = sql<{ open: number }>`select (select count(*) from listing_arrivals)::int
    + (select count(*) from pgboss.job where state in ('created', 'retry', 'active')
        and start_after <= now() and name <> all(${NOBODYS}::text[]))::int as open`;
  await vi.waitFor(async () => expect((await open.execute(db.q())).rows).toEqual([{ open: 0 }]), 20_000);
}

/** A digest of every row of every table: the same before and after something that must change nothing. */
export async function fingerprint(db: Database): Promise<string> {
  tables ??= (
    await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db.q())
  ).rows
    .map(({ name }) => name)
    .filter((name) => !UNCOUNTED.includes(name));
  const parts = tables.map(
    (name) =>
      sql`select ${name}::text || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as part from ${sql.table(name)} t`,
  );
  const { rows } = await sql<{ all: string }>`select string_agg(part, ' ' order by part) as all
    from (${sql.join(parts, sql` union all `)}) parts`.execute(db.q());
  return rows[0]?.all ?? '';
}
