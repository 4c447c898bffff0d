import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { matchingSearches, publicListing } from '../matching.ts';
import type { Cadence } from '../model.ts';
import { instantMailJob, SINGLETON_KEY } from '../queues.ts';
import { mayMatchListings } from '../rules.ts';

/**
 * Matches one listing against all saved searches and records the new matches; their owners are notified live, and by
 * mail according to the cadence of the search. Idempotent.
 * @returns the number of new matches
 * @throws Unauthenticated, Forbidden for everyone but jobs and the command line
 */
export async function matchListing(ctx: Ctx, input: { propertyId: string }): Promise<number> {
  authorize(ctx, mayMatchListings);
  const listing = await publicListing(ctx, input.propertyId);
  if (!listing) return 0;
  const ids = await matchingSearches(ctx, listing);
  if (ids.length === 0) return 0;
  return ctx.db.tx(async () => {
    // Skips a listing or searches deleted in the meantime; the locks keep the rest until this is committed.
    const { rows: found } = await sql<{ user_id: string; cadence: Cadence }>`
      with still as (select id, user_id, cadence from saved_searches where id = any(${ids}::uuid[]) for key share),
      listed as materialized (select id from properties where id = ${listing.id} for key share),
      added as (
        insert into saved_search_matches (search_id, property_id, matched_at, mail)
        select still.id, listed.id, ${ctx.now()}, cadence from still, listed on conflict do nothing returning search_id
      )
      select still.user_id, still.cadence from added join still on still.id = added.search_id`.execute(
      ctx.db.q(),
    );
    if (found.length === 0) return 0;
    await publish(ctx, {
      audience: [...new Set(found.map((row) => row.user_id))].map((id) => `user:${id}` as const),
      type: 'saved-search.match',
      payload: { property: listing.id, address: listing.address },
    });
    if (found.some(({ cadence }) => cadence === 'instant'))
      await enqueue(ctx, instantMailJob, {}, { key: SINGLETON_KEY });
    return found.length;
  });
}
