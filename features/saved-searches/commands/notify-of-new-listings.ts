import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { matchJob } from '../queues.ts';
import { mayMatchListings } from '../rules.ts';

const BATCH_SIZE = 200;

/**
 * Enqueues one match job for each new public listing, oldest first, so that a failing one does not hold up the others.
 * @returns the number of listings
 * @throws Unauthenticated, Forbidden for everyone but jobs and the command line
 */
export async function notifyOfNewListings(ctx: Ctx): Promise<number> {
  authorize(ctx, mayMatchListings);
  let total = 0;
  for (let taken = BATCH_SIZE; taken === BATCH_SIZE; total += taken) taken = await takeBatch(ctx);
  return total;
}

const takeBatch = (ctx: Ctx): Promise<number> =>
  ctx.db.tx(async () => {
    const waiting = await ctx.db
      .q()
      .selectFrom('listing_arrivals')
      .select('property_id')
      .orderBy('arrived_at')
      .limit(BATCH_SIZE)
      .forUpdate()
      .skipLocked()
      .execute();
    const ids = waiting.map((row) => row.property_id);
    if (ids.length === 0) return 0;
    await ctx.db.q().deleteFrom('listing_arrivals').where('property_id', 'in', ids).execute();
    for (const propertyId of ids) await enqueue(ctx, matchJob, { propertyId }, { key: propertyId });
    return ids.length;
  });
