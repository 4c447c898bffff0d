import type { CtxWith } from '#gateways/ports.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { type ReconcileInput, reconcileAccounts } from './commands/reconcile-accounts.ts';
import { sendBreakRefund } from './commands/send-break-refund.ts';
import { breakRefundJob } from './refund-job.ts';
import { requeueBreakRefunds } from './requeue-refunds.ts';
import { reconcileJob } from './run-job.ts';

/** The jobs that compare our books with the providers' and send back what belongs to nobody. */
export const reconciliationJobs = (
  syncSale: (ctx: CtxWith<'payments' | 'payouts'>, saleId: string) => ReturnType<ReconcileInput['syncSale']>,
): JobHandler<CtxWith<'payments' | 'payouts'>>[] => [
  handle(reconcileJob, async (ctx: CtxWith<'payments' | 'payouts'>) => {
    await requeueBreakRefunds(ctx);
    await reconcileAccounts(ctx, { syncSale: (saleId) => syncSale(ctx, saleId) });
  }),
  handle(breakRefundJob, (ctx: CtxWith<'payments' | 'payouts'>, refund) => sendBreakRefund(ctx, refund)),
];
