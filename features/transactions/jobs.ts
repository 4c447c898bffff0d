import type { CtxWith } from '#gateways/ports.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { deleteExpiredFiles } from './commands/delete-expired-files.ts';
import { writeTransactionsFile } from './commands/write-transactions-file.ts';
import { sweepFilesJob, writeFileJob } from './queues.ts';

export const transactionJobs: JobHandler<CtxWith<'files'>>[] = [
  handle(writeFileJob, (ctx: CtxWith<'files'>, { fileId }, { signal, last }) =>
    writeTransactionsFile(ctx, { fileId, signal, isLastTry: last }),
  ),
  handle(sweepFilesJob, (ctx: CtxWith<'files'>) => deleteExpiredFiles(ctx)),
];
