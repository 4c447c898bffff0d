import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { deleteDocumentFile } from './commands/delete-document-file.ts';
import { type SaleFollowUps, scanHeldDocuments } from './commands/scan-held-documents.ts';
import { deleteFileJob } from './delete-file-job.ts';

/** Asks for no retries, because the next run makes up for a failed one. */
const scanHeldJob = defineJob('documents.scan-held', { cron: '*/5 * * * *', retries: 0 });

/** Scans the documents that are held because the scanner did not answer, and deletes the files of infected ones. What that means for a sale is decided by sales. */
export const documentJobs = (followUps: SaleFollowUps): JobHandler<CtxWith<'files' | 'malware'>>[] => [
  handle(scanHeldJob, async (ctx: CtxWith<'files' | 'malware'>) => {
    await scanHeldDocuments(ctx, followUps);
  }),
  handle(deleteFileJob, deleteDocumentFile),
];
