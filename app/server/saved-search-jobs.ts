import { mailMatches } from '#features/saved-searches/commands/mail-matches.ts';
import { matchListing } from '#features/saved-searches/commands/match-listing.ts';
import { spreadArrivals } from '#features/saved-searches/commands/spread-arrivals.ts';
import { arrivalsJob, dailyMailJob, instantMailJob, matchJob, ONE } from '#features/saved-searches/queues.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';

/** What compares new listings with saved searches and tells of what they found. */
export const savedSearchJobs: JobHandler[] = [
  handle(arrivalsJob, async (ctx) => void (await spreadArrivals(ctx))),
  handle(matchJob, async (ctx, data) => void (await matchListing(ctx, data))),
  handle(instantMailJob, async (ctx) => void (await mailMatches(ctx, { cadence: 'instant' }))),
  handle(dailyMailJob, async (ctx) => void (await mailMatches(ctx, { cadence: 'daily' }))),
];

/** The database says when a listing became public; whichever process hears it adds the one job, and the clock does in any case. */
export async function wakeOnArrivals(ctx: Ctx): Promise<void> {
  ctx.db.channels.on('arrivals', () => {
    enqueue(ctx, arrivalsJob, {}, { key: ONE }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'a new listing waits for the clock to be compared with saved searches');
    });
  });
  await ctx.db.listen('arrivals');
}
