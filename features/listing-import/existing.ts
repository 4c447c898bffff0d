import { sql } from 'kysely';
import { holdListings } from '#features/listings/hold-listings.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { storedColumns } from './changes.ts';
import { isOtherHome } from './home-key.ts';
import { apartId, isComparable } from './repeats.ts';
import type { ParsedRow } from './rows.ts';

/**
 * Holds all listings that rows can be about, in the order in which everything else takes several: those that `existingListings` and
 * `sameHomes` find. Reading them where they are needed would take them in the order of the file, in several steps.
 * @param withHomes also those of the same homes from other sources
 */
export async function holdListingsOf(
  ctx: Ctx,
  { agentId, rows, withHomes }: { agentId: string; rows: readonly ParsedRow[]; withHomes: boolean },
): Promise<void> {
  const existing = await existingListings(ctx, agentId, rows, false);
  const fresh = withHomes ? rows.filter((row) => listingOf(row, existing).listing === null) : [];
  const homes = await homePairs(ctx, agentId, fresh);
  await holdListings(ctx, [...[...existing.values()].map(({ id }) => id), ...homes.map(({ id }) => id)]);
}

/**
 * The seller's listings with the ids of these rows in their source, or, as an export of ours names those that have none, with these ids of
 * our own. Held until the transaction ends, unless said otherwise.
 */
export async function existingListings(
  ctx: Ctx,
  agentId: string,
  rows: readonly ParsedRow[],
  lock = true,
): Promise<Map<string, ExistingListing>> {
  const ids = rows.flatMap((row) => [row.sourceId, apartId(row.sourceId, row.values)]);
  const found = await listingsBy(ctx, { agentId, column: 'source_id', ids, lock });
  const bySource = new Map(found.map((row) => [row.source_id ?? '', row]));
  const own = ids.filter((id) => isUuid(id) && !bySource.has(id));
  for (const row of await listingsBy(ctx, { agentId, column: 'id', ids: own, lock }))
    bySource.set(row.id, row);
  return bySource;
}

/**
 * The listing of a row, with the id that it has there: by its own id, or, where a number stands for two homes, by the id with the address,
 * which is also the one that a row without a listing is then stored with.
 */
export function listingOf(
  row: ParsedRow,
  existing: ReadonlyMap<string, ExistingListing>,
): { listing: ExistingListing | null; sourceId: string } {
  const apart = apartId(row.sourceId, row.values);
  const separate = existing.get(apart);
  const own = existing.get(row.sourceId) ?? null;
  const isShared = row.isRepeated || (row.isNumbered && own !== null);
  const isOther = isShared && (own === null || isOtherHome(own, row.values));
  if (!separate && !isOther) return { listing: own, sourceId: row.sourceId };
  return { listing: separate ?? null, sourceId: apart };
}

interface Asked {
  agentId: string;
  column: 'source_id' | 'id';
  ids: readonly string[];
  lock: boolean;
}

/**
 * Each id is looked up by itself: as a set, the planner reads the whole table while an import fills it, since it has no statistics.
 */
async function listingsBy(ctx: Ctx, { agentId, column, ids, lock }: Asked) {
  if (ids.length === 0) return [];
  const type = column === 'id' ? sql`uuid` : sql`text`;
  const asked = sql<{ id: string }>`unnest(${[...new Set(ids)]}::${type}[])`.as<'asked'>(sql`asked(id)`);
  return ctx.db
    .q()
    .selectFrom(asked)
    .innerJoinLateral(
      (one) =>
        one
          .selectFrom('properties as p')
          .select(['p.id', 'p.source_id', 'p.status', 'p.deleted_at', 'p.off_market_at', 'p.listed_at'])
          .select(['p.changed_since_approval_at', 'p.needs_approval_since'])
          .select(storedColumns.map((name) => `p.${name}` as const))
          .where('p.agent_id', '=', agentId)
          .whereRef(`p.${column}`, '=', 'asked.id')
          .offset(0)
          .$if(lock, (query) => query.forUpdate())
          .as('listing'),
      (join) => join.onTrue(),
    )
    .selectAll('listing')
    .execute();
}

export type ExistingListing = Awaited<ReturnType<typeof listingsBy>>[number];

/**
 * For each of several new rows, the seller's listing of the same home from another source, by the row's place among them: the same
 * address in another spelling, for sale, in an MLS of another name or none. Held until the transaction ends. Each row is looked up by
 * itself in the index of addresses: joined as a set, the planner reads the whole table while an import fills it, since it has no statistics.
 */
export async function sameHomes(
  ctx: Ctx,
  agentId: string,
  rows: readonly ParsedRow[],
): Promise<Map<number, ExistingListing>> {
  const pairs = await homePairs(ctx, agentId, rows);
  if (pairs.length === 0) return new Map();
  const found = await ctx.db
    .q()
    .selectFrom('properties')
    .select(['id', 'source_id', 'status', 'deleted_at', 'off_market_at', 'listed_at'])
    .select(['changed_since_approval_at', 'needs_approval_since', ...storedColumns])
    .where(
      'id',
      'in',
      pairs.map(({ id }) => id),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  const byId = new Map(found.map((row) => [row.id, row]));
  return new Map(
    pairs.flatMap(({ place, id }) => {
      const listing = byId.get(id);
      return listing ? [[place, listing] as const] : [];
    }),
  );
}

/** The ids of those listings, with the places of the rows. */
async function homePairs(
  ctx: Ctx,
  agentId: string,
  rows: readonly ParsedRow[],
): Promise<{ place: number; id: string }[]> {
  const asked = rows.map((row, place) => ({ row, place })).filter(({ row }) => isComparable(row));
  if (asked.length === 0) return [];
  const list = (value: (row: ParsedRow) => string | null) => asked.map(({ row }) => value(row) ?? '');
  const { rows: pairs } = await sql<{ place: number; id: string }>`
    select distinct on (asked.place) asked.place::integer as place, p.id
    from (select place, mls_name, address_key(address, city, zip) as key
      from unnest(${list((row) => row.values.address)}::text[], ${list((row) => row.values.city)}::text[],
        ${list((row) => row.values.zip)}::text[], ${list((row) => row.values.mls_name)}::text[])
        with ordinality as given(address, city, zip, mls_name, place) offset 0) asked
    cross join lateral (select p.* from properties p
      where address_key(p.address, p.city, p.zip) = asked.key and p.deleted_at is null offset 0) p
    where p.agent_id = ${agentId} and p.status <> 'Sold' and coalesce(p.mls_name, '') <> asked.mls_name
    order by asked.place, p.created_at, p.id`.execute(ctx.db.q());
  return pairs.flatMap(({ place, id }) => {
    const at = asked[place - 1]?.place;
    return at === undefined ? [] : [{ place: at, id }];
  });
}
