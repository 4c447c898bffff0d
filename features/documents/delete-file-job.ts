import { defineJob, RETRIES_FOR_A_DAY } from '#platform/jobs/job.ts';

/** Deletes the file of a document that was removed. */
export const deleteFileJob = defineJob<{ key: string }>('documents.delete-file', {
  retries: RETRIES_FOR_A_DAY,
});
