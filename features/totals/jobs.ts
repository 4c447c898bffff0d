import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { countTotals } from './commands/count-totals.ts';

/** Not retried, because the next run makes up for a failed one. */
const countJob = defineJob('totals.count', { cron: '*/5 * * * *', retries: 0 });

/** Counts what cards show of large tables. */
export const totalJobs: JobHandler[] = [handle(countJob, (ctx) => countTotals(ctx))];
