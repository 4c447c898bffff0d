import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { sendWeeklyMails } from './commands/send-weekly-mails.ts';

/** Every quarter of an hour, because there are zones whose hours begin at one. Not retried: the next run makes up for a failed one. */
const weeklyMail = defineJob('reports.weekly_mail', { cron: '*/15 * * * *', retries: 0 });

/** Mails the weekly report. */
export const weeklyMailJobs: JobHandler[] = [
  handle(weeklyMail, async (ctx) => void (await sendWeeklyMails(ctx))),
];
