import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { refreshSearchStatistics } from './commands/refresh-search-statistics.ts';

const refresh = defineJob('search.refresh', { cron: '41 * * * *' });

/** Keeps the statistics of the search planner fresh. */
export const searchJobs: JobHandler[] = [handle(refresh, refreshSearchStatistics)];

/** Has the statistics refreshed once the running transaction is committed, which changed many listings. */
export const refreshSearchSoon = (ctx: Ctx): Promise<boolean> => enqueue(ctx, refresh, {}, { key: 'soon' });
