import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { updateTours } from './commands/update-tours.ts';

const update = defineJob('tours.keep', { cron: '* * * * *', retries: 0 });

/** Reminds of tours and ends them. Not retried, because the next run makes up for a failed one. */
export const tourJobs: JobHandler[] = [handle(update, async (ctx) => void (await updateTours(ctx)))];
