import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { sumUp } from './commands/sum-up.ts';

/** Not retried, because the next run makes up for a failed one. */
const sumJob = defineJob('overview.sum', { cron: '*/5 * * * *', retries: 0 });

/** Sums up what the dashboard shows of large tables. */
export const overviewJobs: JobHandler[] = [handle(sumJob, (ctx) => sumUp(ctx))];
