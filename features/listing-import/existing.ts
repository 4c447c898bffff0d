import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { storedColumns } from './changes.ts';
import { isComparable } from './repeats.ts';
import type { ParsedRow } from './rows.ts';

/** The seller's listings with these ids, held until the transaction ends. */
export async function existingListings(ctx: Ctx, agentId: string, sourceIds: readonly string[]) {
  const found = await ctx.db
    .q()
    .selectFrom('properties')
    .select(['id', 'source_id', 'status', 'deleted_at', 'off_market_at', ...storedColumns])
    .where('agent_id', '=', agentId)
    .where('source_id', '=', sql<string>`any(${[...sourceIds]}::text[])`)
    .forUpdate()
    .execute();
  return new Map(found.map((row) => [row.source_id ?? '', row]));
}

export type ExistingListing =
  Awaited<ReturnType<typeof existingListings>> extends Map<string, infer Listing> ? Listing : never;

/**
 * For each of several new rows, the seller's listing of the same home from another source, by the row's place among them: the same
 * address in another spelling, for sale, in an MLS of another name or none. Held until the transaction ends.
 */
export async function sameHomes(
  ctx: Ctx,
  agentId: string,
  rows: readonly ParsedRow[],
): Promise<Map<number, ExistingListing>> {
  const asked = rows.map((row, place) => ({ row, place })).filter(({ row }) => isComparable(row));
  if (asked.length === 0) return new Map();
  const list = (value: (row: ParsedRow) => string | null) => asked.map(({ row }) => value(row) ?? '');
  const { rows: pairs } = await sql<{ place: number; id: string }>`
    select distinct on (asked.place) asked.place::integer as place, p.id
    from unnest(${list((row) => row.values.address)}::text[], ${list((row) => row.values.city)}::text[],
        ${list((row) => row.values.zip)}::text[], ${list((row) => row.values.mls_name)}::text[])
        with ordinality as asked(address, city, zip, mls_name, place)
    join properties p on address_key(p.address, p.city, p.zip) = address_key(asked.address, asked.city, asked.zip)
      and p.deleted_at is null
    where p.agent_id = ${agentId} and p.status <> 'Sold' and coalesce(p.mls_name, '') <> asked.mls_name
    order by asked.place, p.created_at, p.id`.execute(ctx.db.q());
  if (pairs.length === 0) return new Map();
  const found = await ctx.db
    .q()
    .selectFrom('properties')
    .select(['id', 'source_id', 'status', 'deleted_at', 'off_market_at', ...storedColumns])
    .where(
      'id',
      'in',
      pairs.map(({ id }) => id),
    )
    .forUpdate()
    .execute();
  const byId = new Map(found.map((row) => [row.id, row]));
  return new Map(
    pairs.flatMap(({ place, id }) => {
      const listing = byId.get(id);
      const at = asked[place - 1]?.place;
      return listing && at !== undefined ? [[at, listing] as const] : [];
    }),
  );
}
