import { sql } from 'kysely';
import { buyerFees } from '#features/fees/reads.ts';
import { totalCents } from '#features/fees/rules.ts';
import { townLine } from '#features/listings/display.ts';
import { isPubliclyVisible } from '#features/listings/sql.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type CriteriaRow, toDescription, toPropertiesQuery } from './criteria.ts';
import { type Cadence, type SavedSearch, SHOWN_MATCHES } from './model.ts';
import { maySaveSearches } from './rules.ts';

interface Row extends CriteriaRow {
  id: string;
  name: string;
  cadence: Cadence;
  type_name: string | null;
  type_slug: string | null;
  fresh: number;
  matches: {
    id: string;
    address: string;
    city: string;
    state: string;
    zip: string;
    price: number;
    at: string;
    fresh: boolean;
  }[];
}

/** Only matches that are still publicly visible are shown and counted. */
const visibleMatches = sql`saved_search_matches m
  join properties p on p.id = m.property_id and ${isPubliclyVisible('p')}`;

/**
 * The user's saved searches, newest first, each with its newest matches and the number of new ones. Uses one query.
 * @throws Unauthenticated
 */
export async function savedSearches(ctx: Ctx): Promise<SavedSearch[]> {
  const user = authorizedUser(ctx, maySaveSearches);
  const { rows } = await sql<Row>`
    select s.*, t.name as type_name, t.slug as type_slug,
      (select count(*)::integer from ${visibleMatches} where m.search_id = s.id and m.seen_at is null) as fresh,
      coalesce((select json_agg(newest) from (
        select p.id, p.address, p.city, p.state, p.zip, p.price_cents as price, m.matched_at as at,
          m.seen_at is null as fresh
        from ${visibleMatches} where m.search_id = s.id order by m.matched_at desc, p.id limit ${SHOWN_MATCHES}
      ) newest), '[]') as matches
    from saved_searches s left join property_types t on t.id = s.type_id
    where s.user_id = ${user.id} order by s.created_at desc, s.id`.execute(ctx.db.q());
  const fees = await buyerFees(ctx);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    cadence: row.cadence,
    description: toDescription(row, row.type_name),
    query: toPropertiesQuery(row, row.type_slug),
    newCount: row.fresh,
    matches: row.matches.map((match) => ({
      propertyId: match.id,
      address: match.address,
      town: townLine(match),
      totalCents: totalCents(match.price, fees),
      matchedAt: new Date(match.at).toISOString(),
      isNew: match.fresh,
    })),
  }));
}

/**
 * Number of new listings among the matches of the user's saved searches.
 * @throws Unauthenticated
 */
export async function newMatchCount(ctx: Ctx): Promise<number> {
  const user = authorizedUser(ctx, maySaveSearches);
  const { rows } = await sql<{ count: number }>`select count(distinct m.property_id)::integer as count
    from ${visibleMatches} join saved_searches s on s.id = m.search_id where s.user_id = ${user.id} and m.seen_at is null`.execute(
    ctx.db.q(),
  );
  return rows[0]?.count ?? 0;
}
