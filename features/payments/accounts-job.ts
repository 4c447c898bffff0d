import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';

/** Asks the providers about our accounts; asked again for most of a day when one does not answer. */
export const accountsJob = defineJob('payments.accounts', {
  cron: '0 6 * * *',
  retries: 20,
  retryDelaySeconds: 60,
});

/** Has the accounts with the providers checked now, in the background: when a process starts, and after a change of Stripe's keys. */
export const checkAccountsSoon = (ctx: Pick<Ctx, 'db'>): Promise<boolean> =>
  enqueue(ctx, accountsJob, {}, { key: 'now' });
