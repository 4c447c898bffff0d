import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { checkStripe } from './commands/check-stripe.ts';
import { removeFormerKeys } from './commands/remove-former-keys.ts';

/** Every hour: whether Stripe still accepts the keys, and which are no longer needed. */
const stripeKeysJob = defineJob('stripe.keys', { cron: '41 * * * *', retries: 2, expireSeconds: 300 });

export const paymentSettingsJobs: JobHandler<CtxWith<'stripeSetup'>>[] = [
  handle(stripeKeysJob, async (ctx: CtxWith<'stripeSetup'>) => {
    await checkStripe(ctx);
    await removeFormerKeys(ctx);
  }),
];
