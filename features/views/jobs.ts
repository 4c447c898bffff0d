import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { keepViewMonths } from './commands/keep-view-months.ts';

const keepMonths = defineJob('views.months', { cron: '25 * * * *' });

export const viewJobs: JobHandler[] = [handle(keepMonths, (ctx) => keepViewMonths(ctx))];
