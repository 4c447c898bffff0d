import { refundJob } from '#features/sales/refund-request.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { accountsJob } from './accounts-job.ts';
import { checkAccounts } from './commands/check-accounts.ts';
import { type FollowPayout, processMessages } from './commands/process-messages.ts';
import { reconcileSales } from './commands/reconcile-sales.ts';
import { sendRefund } from './commands/send-refund.ts';
import { sweepSales } from './commands/sweep-sales.ts';
import { messagesJob } from './message-job.ts';

const sweep = defineJob('payments.sweep', { cron: '* * * * *', retries: 0 });
/** Passes per run: at most 10,000 sales of each account every ten minutes in each process. */
const PASSES = 50;
const reconcile = defineJob('payments.reconcile', { cron: '*/10 * * * *', retries: 0 });

/** The jobs that advance sales in the background: webhooks, refunds, timeouts, and reconciliation for lost webhooks. */
export const paymentJobs = (
  followPayout: (ctx: CtxWith<'payouts'>, ...message: Parameters<FollowPayout>) => Promise<boolean>,
): JobHandler<CtxWith<'payments' | 'payouts'>>[] => [
  handle(messagesJob, (ctx: CtxWith<'payments' | 'payouts'>) =>
    processMessages(ctx, (message) => followPayout(ctx, message)),
  ),
  handle(refundJob, (ctx: CtxWith<'payments'>, refund) => sendRefund(ctx, refund)),
  handle(accountsJob, (ctx: CtxWith<'payments'>) => checkAccounts(ctx)),
  handle(sweep, (ctx: CtxWith<'payments'>) => sweepSales(ctx)),
  handle(reconcile, async (ctx: CtxWith<'payments'>, _data, { signal }) => {
    for (let pass = 0; pass < PASSES && !signal.aborted; pass++) if (!(await reconcileSales(ctx))) return;
  }),
];
