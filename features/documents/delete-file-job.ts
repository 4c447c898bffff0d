import { defineJob } from '#platform/jobs/job.ts';

/** Deletes the file of a document that was removed. */
export const deleteFileJob = defineJob<{ key: string }>('documents.delete-file');
