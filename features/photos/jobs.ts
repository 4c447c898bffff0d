import { defineJob, RETRIES_FOR_A_DAY } from '#platform/jobs/job.ts';

/** Deletes unused pictures and leftovers of interrupted uploads. The next run makes up for a failed one. */
export const sweepJob = defineJob('photos.sweep', { cron: '23 * * * *', retries: 0 });
/** Deletes the files of one picture, which anyone who knows its address can see until then. */
export const deleteFilesJob = defineJob<{ imageId: string }>('photos.delete-files', {
  retries: RETRIES_FOR_A_DAY,
});
