import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { checkSellerAccounts } from './commands/check-seller-accounts.ts';

const check = defineJob('payouts.accounts', { cron: '*/10 * * * *', retries: 0 });

/** Follows sellers' accounts at the provider where no message does. Not retried: the next run makes up for a failed one. */
export const sellerAccountJobs: JobHandler<CtxWith<'payouts'>>[] = [
  handle(check, (ctx: CtxWith<'payouts'>) => checkSellerAccounts(ctx)),
];
