import { sql } from 'kysely';
import type { ListingCard } from '#features/listings/model.ts';
import { cardColumns, cardsOf } from '#features/listings/reads.ts';
import { isPubliclyVisible, mainPicture } from '#features/listings/sql.ts';
import { anyone, authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import { mayWatch } from './rules.ts';

export interface PropertyMarks {
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
