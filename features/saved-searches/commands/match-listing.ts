import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publishToUsers } from '#platform/events/events.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { publicListing, searchesFor } from '../lookup.ts';
import type { Cadence } from '../model.ts';
import { instantMailJob, ONE } from '../queues.ts';
import { mayMatch } from '../rules.ts';

/**
 * Compares one listing with all saved searches: each that finds it, and did not before, gets it into its list; its owner
 * hears of it live, and by mail as the search says. Repeating it changes nothing.
 * @returns how many searches have found it now
 * @throws Unauthenticated, Forbidden for everyone but jobs and the command line
 */
export async function matchListing(ctx: Ctx, input: { propertyId: string }): Promise<number> {
  authorize(ctx, mayMatch);
  const listing = await publicListing(ctx, input.propertyId);
  if (!listing) return 0;
  const ids = await searchesFor(ctx, listing);
  if (ids.length === 0) return 0;
  return ctx.db.tx(async (q) => {
    // A listing or searches that were deleted meanwhile find nothing; the locks keep the others until this is written.
    const { rows: found } = await sql<{ user_id: string; cadence: Cadence }>`
      with still as (select id, user_id, cadence from saved_searches where id = any(${ids}::uuid[]) for key share),
      listed as materialized (select id from properties where id = ${listing.id} for key share),
      added as (
        insert into saved_search_matches (search_id, property_id, matched_at, mail)
        select still.id, listed.id, ${ctx.now()}, cadence from still, listed on conflict do nothing returning search_id
      )
      select still.user_id, still.cadence from added join still on still.id = added.search_id`.execute(q);
    if (found.length === 0) return 0;
    await publishToUsers(ctx, [...new Set(found.map((row) => row.user_id))], {
      type: 'saved-search.match',
      payload: { property: listing.id, address: listing.address },
    });
    if (found.some(({ cadence }) => cadence === 'instant'))
      await enqueue(ctx, instantMailJob, {}, { key: ONE });
    return found.length;
  });
}
