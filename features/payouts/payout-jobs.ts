import { defineJob } from '#platform/jobs/job.ts';

/** Sends one payout to its provider. */
export const sendPayoutJob = defineJob<{ payoutId: string }>('payouts.send', {
  retries: 12,
  retryDelaySeconds: 15,
  expireSeconds: 60,
  concurrency: 2,
  uniqueWhile: 'live',
});
