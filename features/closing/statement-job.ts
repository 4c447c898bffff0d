import { defineJob } from '#platform/jobs/job.ts';

/** Registers a seller's statement of a closed month. */
export const statementDocumentJob = defineJob<{ statementId: string }>('closing.statement-document', {
  retries: 8,
  retryDelaySeconds: 15,
  expireSeconds: 120,
});
