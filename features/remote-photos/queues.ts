import { defineJob } from '#platform/jobs/job.ts';

/** Fetches photos that files of listings name. The schedule takes up what failed for now, and what a killed process left. */
export const fetchPhotosJob = defineJob('remote-photos.fetch', {
  cron: '* * * * *',
  retries: 0,
  expireSeconds: 300,
});
