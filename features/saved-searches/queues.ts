import { defineJob } from '#platform/jobs/job.ts';

/** Enqueues a match job for every new public listing; triggered by the database, with a schedule as a fallback. */
export const newListingsJob = defineJob('saved-searches.arrivals', { retries: 3, cron: '* * * * *' });
/** Matches one listing against the saved searches. */
export const matchJob = defineJob<{ propertyId: string }>('saved-searches.match');
/** Mails the matches of instant searches. */
export const instantMailJob = defineJob('saved-searches.mail', { cron: '*/5 * * * *' });
/** Mails the matches of daily searches to everyone whose digest hour has come. */
export const dailyMailJob = defineJob('saved-searches.daily', { cron: '2 * * * *' });
/** Job key that prevents a second job of the same kind from being queued. */
export const SINGLETON_KEY = 'one';
