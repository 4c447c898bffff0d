import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';

/** Checks, runs or undoes an import, whichever its status says. */
export const workImportJob = defineJob<{ importId: string }>('imports.work', {
  retries: 3,
  retryDelaySeconds: 5,
  expireSeconds: 3_600,
  concurrency: 2,
});
/** Takes up imports that a killed process left. */
export const watchImportsJob = defineJob('imports.watch', { cron: '* * * * *', retries: 0 });
/** Deletes files and imports that are no longer needed. */
export const sweepImportsJob = defineJob('imports.sweep', { cron: '37 4 * * *', retries: 0 });

/** Has an import worked on, unless that is asked for already. */
export const enqueueWork = (ctx: Pick<Ctx, 'db'>, importId: string): Promise<boolean> =>
  enqueue(ctx, workImportJob, { importId }, { key: importId });
