import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';

/** Works a run; adds itself again until nothing of it waits. A minute's job takes up what was lost. */
export const workRunJob = defineJob<{ runId: string }>('payouts.run', { retries: 5 });
export const watchRunsJob = defineJob('payouts.watch-runs', { cron: '* * * * *', retries: 0 });
export const checkTreasuryJob = defineJob('payouts.treasury', {
  cron: '20 * * * *',
  retries: 3,
  retryDelaySeconds: 120,
});

/** Asks for the work of a run in the current transaction. */
export const enqueueRun = (ctx: Pick<Ctx, 'db'>, runId: string): Promise<boolean> =>
  enqueue(ctx, workRunJob, { runId }, { key: runId });
