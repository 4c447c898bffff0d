import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { sweepImports } from './commands/sweep-imports.ts';
import { watchImports } from './commands/watch-imports.ts';
import { workImport } from './commands/work-import.ts';
import { sweepImportsJob, watchImportsJob, workImportJob } from './queues.ts';

export const importRunJobs: JobHandler<CtxWith<'files'>>[] = [
  handle(workImportJob, (ctx: CtxWith<'files'>, { importId }, { signal, last }) =>
    workImport(ctx, { importId, signal, isLastTry: last }),
  ),
  handle(watchImportsJob, async (ctx: CtxWith<'files'>) => {
    await watchImports(ctx);
  }),
  handle(sweepImportsJob, async (ctx: CtxWith<'files'>) => {
    await sweepImports(ctx);
  }),
];

/** As the server starts, takes up imports that a killed process left, instead of at the next minute. */
export const watchImportsSoon = (ctx: Ctx): Promise<boolean> =>
  enqueue(ctx, watchImportsJob, {}, { key: 'start' });
