import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { sendDigests } from './commands/send-digests.ts';

const digests = defineJob('messages.digest', { cron: '*/10 * * * *', retries: 0 });

/** Mails digests of unread messages. Not retried, because the next run makes up for a failed one. */
export const inquiryJobs: JobHandler[] = [handle(digests, async (ctx) => void (await sendDigests(ctx)))];
