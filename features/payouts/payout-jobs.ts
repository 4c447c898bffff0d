import { defineJob } from '#platform/jobs/job.ts';

/** Sends one payout to its provider. */
export const sendPayoutJob = defineJob<{ payoutId: string }>('payouts.send', {
  retries: 12,
  retryDelaySeconds: 15,
  expireSeconds: 60,
  concurrency: 4,
  uniqueWhile: 'live',
});

/** Takes back what the seller of a sale owes from its payouts, where the provider can. */
export const takeBackJob = defineJob<{ saleId: string }>('payouts.take-back', {
  retries: 12,
  retryDelaySeconds: 60,
  expireSeconds: 60,
  uniqueWhile: 'live',
});
