import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { withdrawListings } from './commands/withdraw-listings.ts';
import { withdrawListingsJob } from './queues.ts';

/** The jobs that withdraw what archived sellers had for sale. */
export const sellerJobs: JobHandler[] = [
  handle(withdrawListingsJob, (ctx, { sellerId, after }, { signal }) =>
    withdrawListings(ctx, { sellerId, after, signal }),
  ),
];
