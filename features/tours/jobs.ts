import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { keepTours } from './commands/keep-tours.ts';

const keep = defineJob('tours.keep', { cron: '* * * * *', retries: 0 });

/** Reminds of tours and ends them. Not retried, because the next run makes up for a failed one. */
export const tourJobs: JobHandler[] = [handle(keep, async (ctx) => void (await keepTours(ctx)))];
