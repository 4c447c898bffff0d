import type { CtxWith } from '#gateways/ports.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { watchRuns } from './commands/watch-runs.ts';
import { workPayoutRun } from './commands/work-payout-run.ts';
import { watchRunsJob, workRunJob } from './queues.ts';

/** The jobs that work runs of payouts, and end those that nobody approves. */
export const payoutRunJobs: JobHandler<CtxWith<'payouts'>>[] = [
  handle(workRunJob, (ctx: CtxWith<'payouts'>, { runId }, { signal, last }) =>
    workPayoutRun(ctx, { runId, signal, isLastTry: last }),
  ),
  handle(watchRunsJob, (ctx: CtxWith<'payouts'>) => watchRuns(ctx)),
];
