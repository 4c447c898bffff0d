import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { countMarket } from './commands/count-market.ts';
import { foldReportEvents } from './commands/fold-events.ts';
import { trimTerms } from './commands/trim-terms.ts';

const fold = defineJob('reports.fold', { cron: '* * * * *', retries: 0 });
const market = defineJob('reports.market', { cron: '*/10 * * * *', retries: 0 });
const trim = defineJob('reports.trim', { cron: '50 4 * * *', retries: 0 });

/** Not retried, because the next run does what a failed one left. */
export const reportJobs: JobHandler[] = [
  handle(fold, (ctx, _, { signal }) => foldReportEvents(ctx, { signal })),
  handle(market, (ctx) => countMarket(ctx)),
  handle(trim, (ctx) => trimTerms(ctx)),
];
