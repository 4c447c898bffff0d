import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { countMarket } from './commands/count-market.ts';
import { foldReportEvents } from './commands/fold-events.ts';
import { sendWeeklyMails } from './commands/send-weekly-mails.ts';
import { trimTerms } from './commands/trim-terms.ts';

const fold = defineJob('reports.fold', { cron: '* * * * *', retries: 0 });
const market = defineJob('reports.market', { cron: '*/10 * * * *', retries: 0 });
/** Every quarter of an hour, because there are zones whose hours begin at one. */
const weeklyMail = defineJob('reports.weekly_mail', { cron: '*/15 * * * *', retries: 0 });
const trim = defineJob('reports.trim', { cron: '50 4 * * *', retries: 0 });

/** Not retried, because the next run does what a failed one left. */
export const reportJobs: JobHandler[] = [
  handle(fold, (ctx, _, { signal }) => foldReportEvents(ctx, { signal })),
  handle(market, (ctx) => countMarket(ctx)),
  handle(weeklyMail, async (ctx) => void (await sendWeeklyMails(ctx))),
  handle(trim, (ctx) => trimTerms(ctx)),
];
