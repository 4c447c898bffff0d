import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { refreshSearchStatistics } from './commands/refresh-search-statistics.ts';

const refresh = defineJob('search.refresh', { cron: '41 * * * *' });

/** Keeps the statistics of the search planner fresh. */
export const searchJobs: JobHandler[] = [handle(refresh, refreshSearchStatistics)];
