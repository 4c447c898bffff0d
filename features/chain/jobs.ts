import type { CtxWith } from '#gateways/ports.ts';
import { SECOND } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { workChainJob } from './chain-jobs.ts';
import { workChain } from './commands/work-chain.ts';

/** After which open transactions are looked at again: two blocks of Base. */
const AGAIN_MS = 4 * SECOND;

/** The job that writes to the chain; it asks for itself while transactions are open. */
export const chainJobs: JobHandler<CtxWith<'chain'>>[] = [
  handle(workChainJob, async (ctx: CtxWith<'chain'>, _data, { signal }) => {
    const { open } = await workChain(ctx, signal);
    if (open > 0)
      await enqueue(ctx, workChainJob, {}, { key: 'chain', after: new Date(Date.now() + AGAIN_MS) });
  }),
];
