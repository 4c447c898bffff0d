import { defineJob } from '#platform/jobs/job.ts';

/** Takes back what the seller of a sale owes from its payouts, where the provider can. */
export const takeBackJob = defineJob<{ saleId: string }>('payouts.take-back', {
  retries: 12,
  retryDelaySeconds: 60,
  expireSeconds: 60,
  uniqueWhile: 'live',
});
