import { defineJob } from '#platform/jobs/job.ts';

/** Gives every listing that became public a job of its own; woken by the database, and by the clock should that be missed. */
export const arrivalsJob = defineJob('saved-searches.arrivals', { retries: 3, cron: '* * * * *' });
/** Compares one listing with the saved searches. */
export const matchJob = defineJob<{ propertyId: string }>('saved-searches.match');
/** Mails what instant searches found. */
export const instantMailJob = defineJob('saved-searches.mail', { cron: '*/5 * * * *' });
/** Mails what daily searches found to everyone whose hour has come. */
export const dailyMailJob = defineJob('saved-searches.daily', { cron: '2 * * * *' });
/** While one job of a kind waits, another is not added. */
export const ONE = 'one';
