import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { closeMonths } from './commands/close-months.ts';

const close = defineJob('statements.close', { cron: '20 * * * *', retries: 0, expireSeconds: 3_000 });

/** Not retried, because the next run goes on with what a failed one left. */
export const statementJobs: JobHandler[] = [handle(close, (ctx) => closeMonths(ctx))];
