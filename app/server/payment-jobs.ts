import { processMessages } from '#features/purchases/commands/process-messages.ts';
import { sendRefund } from '#features/purchases/commands/send-refund.ts';
import { BATCH, reconcileSales, sweepSales } from '#features/purchases/commands/sweep-sales.ts';
import { messagesJob } from '#features/purchases/message-queue.ts';
import { refundJob } from '#features/purchases/refund-queue.ts';
import { deliverSandboxEvents } from '#gateways/payments/sandbox/deliver.ts';
import type { Config } from '#platform/config.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import type { Services } from './services.ts';

const sweep = defineJob('payments.sweep', { cron: '* * * * *', retries: 0 });
/** Passes of one run: 10,000 sales every ten minutes in each process. */
const PASSES = 50;
const reconcile = defineJob('payments.reconcile', { cron: '*/10 * * * *', retries: 0 });

/** What keeps sales going without anybody looking: messages, refunds, timers, and the questions that replace lost messages. */
export const paymentJobs = ({ payments, config }: Pick<Services, 'payments' | 'config'>): JobHandler[] => [
  handle(messagesJob, (ctx) => processMessages(ctx, payments)),
  handle(refundJob, (ctx, { refundId }) => sendRefund(ctx, refundId, payments)),
  handle(sweep, (ctx) => sweepSales(ctx, payments)),
  handle(reconcile, async (ctx, _data, { signal }) => {
    // What could not be asked stays in front: a provider that is down ends the run by the number of passes.
    for (let pass = 0; pass < PASSES && !signal.aborted; pass++)
      if ((await reconcileSales(ctx, payments)) < BATCH) return;
  }),
  ...(config.sandboxPayments
    ? [deliverSandboxEvents({ baseUrl: ownAddress(config), secret: config.secret })]
    : []),
];

/** Where this process itself listens: the sandbox's messages take the way of real ones, but not around by the balancer. */
function ownAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
