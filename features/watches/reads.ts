import { sql } from 'kysely';
import type { ListingCard } from '#features/listings/model.ts';
import { cardColumns, cardsOf } from '#features/listings/reads.ts';
import { isPubliclyVisible, mainPicture } from '#features/listings/sql.ts';
import { anyone, authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import { isUuid } from '#platform/uuid.ts';
import { MAX_COMPARED, mayWatch } from './rules.ts';

interface PropertyMarks {
  watched: string[];
  viewed: string[];
}

/** Which of these properties the user watches and has viewed; empty for visitors, without a query. */
export async function marksFor(ctx: Ctx, propertyIds: readonly string[]): Promise<PropertyMarks> {
  authorize(ctx, anyone);
  if (ctx.actor.kind !== 'user' || propertyIds.length === 0) return { watched: [], viewed: [] };
  const { rows } = await sql<{ watched: string[]; viewed: string[] }>`select
    array(select property_id from property_watches
      where user_id = ${ctx.actor.id} and property_id = any(${propertyIds}::uuid[])) as watched,
    array(select property_id from property_views
      where user_id = ${ctx.actor.id} and property_id = any(${propertyIds}::uuid[])) as viewed
  `.execute(ctx.db.q());
  return rows[0] ?? { watched: [], viewed: [] };
}

const PAGE = 48;

/** A page of watched properties, the newest watch first. */
export interface WatchedPage {
  cards: ListingCard[];
  /** cursor of the next, older page; null on the last one */
  before: string | null;
}

/**
 * The properties that the user watches and may see, 48 a page.
 * @throws Unauthenticated; BadRequest for an invalid cursor
 */
export async function watchedListings(
  ctx: Ctx,
  { before }: { before?: string | null | undefined } = {},
): Promise<WatchedPage> {
  const user = authorizedUser(ctx, mayWatch);
  const key = readPageKey(before);
  const rows = await ctx.db
    .q()
    .selectFrom('property_watches as w')
    .innerJoin('properties', 'properties.id', 'w.property_id')
    .select(cardColumns)
    .select(mainPicture().as('picture'))
    .select(pageKey(sql`w.created_at`, sql`w.property_id`).as('key'))
    .where('w.user_id', '=', user.id)
    .where('properties.deleted_at', 'is', null)
    .where((may) =>
      may.or([isPubliclyVisible(), ...(user.agentId ? [may('properties.agent_id', '=', user.agentId)] : [])]),
    )
    .$if(key !== null, (q) =>
      q.where(sql<boolean>`(w.created_at, w.property_id) < (${key?.at}::timestamptz, ${key?.id}::uuid)`),
    )
    .orderBy('w.created_at', 'desc')
    .orderBy('w.property_id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const page = rows.slice(0, PAGE);
  return {
    cards: await cardsOf(ctx, page),
    before: rows.length > PAGE ? (page.at(-1)?.key ?? null) : null,
  };
}

/** A watched property with what it is compared by. */
export interface ComparedListing extends ListingCard {
  yearBuilt: number | null;
  amenities: string[];
  /** when it came on the market; ISO, UTC */
  listedAt: string | null;
}

/**
 * The first four of these properties that the user watches and may see, in the order of the ids.
 * @throws Unauthenticated
 */
export async function comparedListings(ctx: Ctx, ids: readonly string[]): Promise<ComparedListing[]> {
  const user = authorizedUser(ctx, mayWatch);
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))].filter(isUuid).slice(0, MAX_COMPARED);
  if (asked.length === 0) return [];
  const rows = await ctx.db
    .q()
    .selectFrom('property_watches as w')
    .innerJoin('properties', 'properties.id', 'w.property_id')
    .select(cardColumns)
    .select(['properties.year_built', 'properties.listed_at', mainPicture().as('picture')])
    .select(
      sql<string[]>`array(select a.name from property_amenities pa join amenities a on a.id = pa.amenity_id
        where pa.property_id = properties.id order by a.name)`.as('amenities'),
    )
    .where('w.user_id', '=', user.id)
    .where('w.property_id', 'in', asked)
    .where('properties.deleted_at', 'is', null)
    .where((may) =>
      may.or([isPubliclyVisible(), ...(user.agentId ? [may('properties.agent_id', '=', user.agentId)] : [])]),
    )
    .execute();
  const cards = await cardsOf(ctx, rows);
  return asked.flatMap((id) => {
    const at = rows.findIndex((row) => row.id === id);
    const [row, card] = [rows[at], cards[at]];
    if (!row || !card) return [];
    return {
      ...card,
      yearBuilt: row.year_built,
      amenities: row.amenities,
      listedAt: row.listed_at?.toISOString() ?? null,
    };
  });
}
