import { defineJob } from '#platform/jobs/job.ts';

/** Every six hours: what is booked is matched within a day even when its message was half a day late. */
export const reconcileJob = defineJob('reconciliation.run', {
  cron: '23 3,9,15,21 * * *',
  retries: 2,
  expireSeconds: 7_200,
});
