import { sql } from 'kysely';
import { buyerFees } from '#features/fees/reads.ts';
import { totalCents } from '#features/fees/rules.ts';
import { marksOfListing, matchesWord, normalizedWords } from '#features/search/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { indexKeys, MARK_SEPARATOR } from './criteria.ts';

/** A public listing as matched against searches; the total includes the current buyer fees. */
interface PublicListing {
  id: string;
  address: string;
  sellerId: string | null;
  typeId: number;
  totalCents: number;
  bedrooms: number;
  bathrooms: number;
  latitude: number;
  longitude: number;
  /** -1 where unknown */
  squareFeet: number;
  lotSquareFeet: number;
  yearBuilt: number;
  /** bits (`amenityBits`) */
  amenities: number;
  /** distinct; includes the words of its type */
  words: string[];
  /** marks of the places where it is, and the keys of searches there */
  places: { marks: string[]; keys: string[] };
}

/** The listing as indexed for the public search; null if it is not public. */
export async function publicListing(ctx: Ctx, id: string): Promise<PublicListing | null> {
  const row = await ctx.db
    .q()
    .selectFrom('search_entries as e')
    .innerJoin('properties as p', 'p.id', 'e.property_id')
    .innerJoin('agents as a', 'a.id', 'p.agent_id')
    .leftJoin('property_types as t', 't.id', 'p.type_id')
    .where('e.property_id', '=', id)
    .select([
      'p.address',
      'a.user_id',
      'e.type_id',
      'e.price_cents',
      'e.bedrooms',
      'e.bathrooms',
      'e.latitude',
    ])
    .select(['e.square_feet', 'e.lot_square_feet', 'e.year_built', 'e.amenities'])
    .select(['e.longitude', 't.name as type_name', sql<string[]>`tsvector_to_array(e.words)`.as('words')])
    .executeTakeFirst();
  if (!row) return null;
  // Entries marked with '=' are internal classes of the search, not words.
  const listed = row.words.filter((word) => !word.startsWith('='));
  return {
    id,
    address: row.address,
    sellerId: row.user_id,
    typeId: row.type_id,
    totalCents: totalCents(row.price_cents, await buyerFees(ctx)),
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    latitude: row.latitude,
    longitude: row.longitude,
    squareFeet: row.square_feet,
    lotSquareFeet: row.lot_square_feet,
    yearBuilt: row.year_built,
    amenities: row.amenities,
    places: marksOfListing(row.words),
    words: [...new Set([...listed, ...normalizedWords(row.type_name ?? '')])],
  };
}

/**
 * The saved searches that this listing matches, except its own seller's. The index finds those whose rarest word
 * matches (or that have none) and whose filters pass; the remaining words are then compared as in the public search.
 * @returns their ids
 */
export async function matchingSearches(ctx: Ctx, listing: PublicListing): Promise<string[]> {
  const { rows } = await sql<{ id: string; rest: string; places: string[]; has_area: boolean }>`
    select id, rest, places, has_area from saved_searches
    where key_word = any(${[...indexKeys(listing.words), ...listing.places.keys]}::text[]) and type_id in (0, ${listing.typeId})
      and min_total_cents <= ${listing.totalCents} and max_total_cents >= ${listing.totalCents}
      and min_beds <= ${listing.bedrooms} and min_baths <= ${listing.bathrooms}
      and south <= ${listing.latitude} and north >= ${listing.latitude}
      and west <= ${listing.longitude} and east >= ${listing.longitude}
      and min_square_feet <= ${listing.squareFeet} and max_square_feet >= ${listing.squareFeet}
      and min_lot_square_feet <= ${listing.lotSquareFeet} and max_lot_square_feet >= ${listing.lotSquareFeet}
      and min_year <= ${listing.yearBuilt} and max_year >= ${listing.yearBuilt}
      and amenities & ${listing.amenities} = amenities
      and user_id is distinct from ${listing.sellerId}::uuid`.execute(ctx.db.q());
  const known = new Map([['', true]]);
  const has = (term: string) => {
    const fits =
      known.get(term) ??
      (term[0] === '=' ? listing.words.includes(term.slice(1)) : null) ??
      matchesWord(term.replace('*', ''), term[0] === '*' ? 'parts' : 'beginnings', listing.words);
    known.set(term, fits);
    return fits;
  };
  const marks = new Set(listing.places.marks);
  const isIn = (place: string) => place.split(MARK_SEPARATOR).some((mark) => marks.has(mark));
  const fitting = rows.filter(({ rest, places }) => places.every(isIn) && rest.split(' ').every(has));
  const outside = await searchesElsewhere(
    ctx,
    fitting.filter(({ has_area }) => has_area).map(({ id }) => id),
    listing,
  );
  return fitting.map(({ id }) => id).filter((id) => !outside.has(id));
}

/** Those of the searches whose drawn area does not have the listing; the rectangle around the area does. */
async function searchesElsewhere(
  ctx: Ctx,
  ids: readonly string[],
  { longitude, latitude }: PublicListing,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select id from saved_searches where id = any(${ids}::uuid[])
    and not case when area = '' then true else area::polygon @> point(${longitude}::float8, ${latitude}::float8) end`.execute(
    ctx.db.q(),
  );
  return new Set(rows.map(({ id }) => id));
}
