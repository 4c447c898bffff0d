import { sendDigests } from '#features/inquiries/commands/send-digests.ts';
import { sendUpdateMails } from '#features/notifications/commands/send-update-mails.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';

const updates = defineJob('notifications.mail', { cron: '* * * * *', retries: 0 });
const digests = defineJob('messages.digest', { cron: '*/10 * * * *', retries: 0 });

/** The mails that wait: for a notification to settle, and for the hour of a digest. The next run makes up for a failed one. */
export const activityJobs: JobHandler[] = [
  handle(updates, async (ctx) => void (await sendUpdateMails(ctx))),
  handle(digests, async (ctx) => void (await sendDigests(ctx))),
];
