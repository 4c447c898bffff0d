import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { sendUpdateMails } from './commands/send-update-mails.ts';

const updates = defineJob('notifications.mail', { cron: '* * * * *', retries: 0 });

/** Mails notifications after a delay. Not retried, because the next run makes up for a failed one. */
export const notificationJobs: JobHandler[] = [
  handle(updates, async (ctx) => void (await sendUpdateMails(ctx))),
];
