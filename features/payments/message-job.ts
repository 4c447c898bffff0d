import { defineJob } from '#platform/jobs/job.ts';

/** Processes waiting provider messages. One job serves all of them: however many arrive at once, few jobs run. */
export const messagesJob = defineJob('payments.messages', {
  retries: 3,
  retryDelaySeconds: 5,
  expireSeconds: 300,
  uniqueWhile: 'waiting',
  cron: '* * * * *',
});
/** Singleton key: while one job is waiting, no other is added. */
export const MESSAGES_KEY = 'messages';
