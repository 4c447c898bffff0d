import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { mailMatches } from './commands/mail-matches.ts';
import { matchListing } from './commands/match-listing.ts';
import { notifyOfNewListings } from './commands/notify-of-new-listings.ts';
import { dailyMailJob, instantMailJob, matchJob, newListingsJob, SINGLETON_KEY } from './queues.ts';

/** The jobs that match new listings against saved searches and mail the matches. */
export const savedSearchJobs: JobHandler[] = [
  handle(newListingsJob, async (ctx) => void (await notifyOfNewListings(ctx))),
  handle(matchJob, async (ctx, data) => void (await matchListing(ctx, data))),
  handle(instantMailJob, async (ctx) => void (await mailMatches(ctx, { cadence: 'instant' }))),
  handle(dailyMailJob, async (ctx) => void (await mailMatches(ctx, { cadence: 'daily' }))),
];

/** Enqueues the matching job when the database notifies of a newly public listing; a schedule enqueues it as well. */
export async function enqueueOnNewListings(ctx: Ctx): Promise<void> {
  ctx.db.channels.on('arrivals', () => {
    enqueue(ctx, newListingsJob, {}, { key: SINGLETON_KEY }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'a new listing waits for the clock to be compared with saved searches');
    });
  });
  await ctx.db.listen('arrivals');
}
