import { defineJob } from '#platform/jobs/job.ts';

/** Writes a file that was asked for. */
export const writeFileJob = defineJob<{ fileId: string }>('transactions.write-file', {
  retries: 3,
  retryDelaySeconds: 30,
  expireSeconds: 3_600,
});
/** Deletes files whose links have ended. */
export const sweepFilesJob = defineJob('transactions.sweep-files', { cron: '47 * * * *', retries: 0 });
