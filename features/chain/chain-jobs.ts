import { defineJob } from '#platform/jobs/job.ts';

/** Carries on everything that is to be written to the chain. Not retried, since a run every minute makes up for a failed one. */
export const workChainJob = defineJob('chain.work', { cron: '* * * * *', retries: 0, expireSeconds: 600 });
