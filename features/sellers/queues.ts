import { defineJob } from '#platform/jobs/job.ts';

/** Withdraws the listings of an archived seller from the one after `after`; adds itself again until none is left. */
export const withdrawListingsJob = defineJob<{ sellerId: string; after: string | null }>(
  'sellers.withdraw-listings',
  { retries: 12, retryDelaySeconds: 60 },
);
