import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { matchJob } from '../queues.ts';
import { mayMatch } from '../rules.ts';

const AT_ONCE = 200;

/**
 * Turns the listings that became public into one job each, oldest first, so that one that fails holds up no other.
 * @returns how many there were
 * @throws Unauthenticated, Forbidden for everyone but jobs and the command line
 */
export async function spreadArrivals(ctx: Ctx): Promise<number> {
  authorize(ctx, mayMatch);
  let all = 0;
  for (let taken = AT_ONCE; taken === AT_ONCE; all += taken) taken = await takeSome(ctx);
  return all;
}

const takeSome = (ctx: Ctx): Promise<number> =>
  ctx.db.tx(async (q) => {
    const waiting = await q
      .selectFrom('listing_arrivals')
      .select('property_id')
      .orderBy('arrived_at')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute();
    const ids = waiting.map((row) => row.property_id);
    if (ids.length === 0) return 0;
    await q.deleteFrom('listing_arrivals').where('property_id', 'in', ids).execute();
    for (const propertyId of ids) await enqueue(ctx, matchJob, { propertyId }, { key: propertyId });
    return ids.length;
  });
