import { defineJob } from '#platform/jobs/job.ts';

/** Works through the providers' messages that wait. One job for all of them: however many arrive at once, few run. */
export const messagesJob = defineJob('payments.messages', {
  retries: 3,
  retryDelaySeconds: 5,
  expireSeconds: 300,
  once: 'waiting',
  cron: '* * * * *',
});
/** While one waits, another is not added. */
export const MESSAGES_KEY = 'messages';
