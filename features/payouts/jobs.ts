import { takeBackJob } from '#features/seller-shares/take-back-job.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { askPayouts, completeEmptyPayouts } from './commands/ask-payouts.ts';
import { resumeTakeBacks } from './commands/resume-take-backs.ts';
import { sendPayout } from './commands/send-payout.ts';
import { takeBackPayout } from './commands/take-back-payout.ts';
import { sendPayoutJob } from './payout-jobs.ts';

const ask = defineJob('payouts.ask', { cron: '*/5 * * * *', retries: 0 });
/** Passes per run: at most 10,000 payouts every five minutes in each process. */
const PASSES = 50;

/** The jobs that send payouts, ask about them and take them back. */
export const payoutJobs: JobHandler<CtxWith<'payments' | 'payouts'>>[] = [
  handle(sendPayoutJob, (ctx: CtxWith<'payments' | 'payouts'>, payout) => sendPayout(ctx, payout)),
  handle(takeBackJob, (ctx: CtxWith<'payouts'>, sale) => takeBackPayout(ctx, sale)),
  handle(ask, async (ctx: CtxWith<'payments' | 'payouts'>, _data, { signal }) => {
    await resumeTakeBacks(ctx);
    for (let pass = 0; pass < PASSES && !signal.aborted; pass++) if (!(await askPayouts(ctx))) break;
    await completeEmptyPayouts(ctx);
  }),
];
