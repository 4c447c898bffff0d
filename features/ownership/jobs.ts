import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { eraseOldProofs } from './commands/erase-old-proofs.ts';

/** Not retried, because the next run makes up for a failed one. */
const eraseJob = defineJob('ownership.erase', { cron: '43 * * * *', retries: 0 });

/** Erases proofs of ownership that are no longer needed. */
export const ownershipJobs: JobHandler<CtxWith<'files'>>[] = [
  handle(eraseJob, async (ctx: CtxWith<'files'>) => {
    await eraseOldProofs(ctx);
  }),
];
