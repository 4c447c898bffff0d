import { defineJob } from '#platform/jobs/job.ts';

/** Submits the evidence for one dispute to its provider. */
export const evidenceJob = defineJob<{ evidenceId: string }>('disputes.evidence', {
  retries: 12,
  retryDelaySeconds: 30,
  expireSeconds: 60,
  uniqueWhile: 'live',
});
