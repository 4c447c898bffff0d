import { defineJob } from '#platform/jobs/job.ts';

/** Looks up where imported listings are. The schedule takes up what a killed process left. */
export const findPlacesJob = defineJob('listing-places.find', {
  cron: '* * * * *',
  retries: 0,
  expireSeconds: 300,
});
