import type { CtxWith } from '#gateways/ports.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { checkTreasury } from './commands/check-treasury.ts';
import { watchRuns } from './commands/watch-runs.ts';
import { workPayoutRun } from './commands/work-payout-run.ts';
import { checkTreasuryJob, watchRunsJob, workRunJob } from './queues.ts';

/** The jobs that work runs of payouts, end those that nobody approves, and see to it that there is money for them. */
export const payoutRunJobs: JobHandler<CtxWith<'payments' | 'payouts'>>[] = [
  handle(workRunJob, (ctx: CtxWith<'payments' | 'payouts'>, { runId }, { signal, last }) =>
    workPayoutRun(ctx, { runId, signal, isLastTry: last }),
  ),
  handle(watchRunsJob, (ctx: CtxWith<'payouts'>) => watchRuns(ctx)),
  handle(checkTreasuryJob, (ctx: CtxWith<'payouts'>) => checkTreasury(ctx)),
];
