import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { forgetSearches } from './commands/forget-searches.ts';
import { refreshSearchStatistics } from './commands/refresh-search-statistics.ts';

const refresh = defineJob('search.refresh', { cron: '41 * * * *' });
const forget = defineJob('search.forget', { cron: '23 3 * * *' });

/** Keeps the statistics of the search planner fresh, and forgets old searches. */
export const searchJobs: JobHandler[] = [
  handle(refresh, refreshSearchStatistics),
  handle(forget, (ctx, _, { signal }) => forgetSearches(ctx, { signal })),
];

/** Has the statistics refreshed once the running transaction is committed, which changed many listings. */
export const refreshSearchSoon = (ctx: Ctx): Promise<boolean> => enqueue(ctx, refresh, {}, { key: 'soon' });
