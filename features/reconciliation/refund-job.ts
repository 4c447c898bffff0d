import { defineJob } from '#platform/jobs/job.ts';

/** Requests the refund that is to end a break from the provider. */
export const breakRefundJob = defineJob<{ refundId: string }>('reconciliation.refund', {
  retries: 12,
  retryDelaySeconds: 15,
  expireSeconds: 60,
  uniqueWhile: 'live',
});
