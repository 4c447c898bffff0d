import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { type ReconcileInput, reconcileAccounts } from './commands/reconcile-accounts.ts';
import { sendBreakRefund } from './commands/send-break-refund.ts';
import { breakRefundJob } from './refund-job.ts';

/** Every six hours: what is booked is matched within a day even when its message was half a day late. */
const reconcile = defineJob('reconciliation.run', {
  cron: '23 3,9,15,21 * * *',
  retries: 2,
  expireSeconds: 7_200,
});

/** The jobs that compare our books with the providers' and send back what belongs to nobody. */
export const reconciliationJobs = (
  syncSale: (ctx: CtxWith<'payments'>, saleId: string) => ReturnType<ReconcileInput['syncSale']>,
): JobHandler<CtxWith<'payments'>>[] => [
  handle(reconcile, async (ctx: CtxWith<'payments'>) => {
    await reconcileAccounts(ctx, { syncSale: (saleId) => syncSale(ctx, saleId) });
  }),
  handle(breakRefundJob, (ctx: CtxWith<'payments'>, refund) => sendBreakRefund(ctx, refund)),
];
