import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { watchDeadlines } from './commands/watch-deadlines.ts';

const deadlines = defineJob('sales.deadlines', { cron: '*/5 * * * *', retries: 0 });

/** Deadlines of sales that need no provider. Not retried, because the next run makes up for a failed one. */
export const saleJobs: JobHandler[] = [handle(deadlines, (ctx) => watchDeadlines(ctx))];
