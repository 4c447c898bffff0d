import { closingDocumentsJob } from '#features/sales/ask-closing-documents.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { askMissingDocuments } from './commands/ask-missing-documents.ts';
import { makeClosingDocuments } from './commands/make-closing-documents.ts';
import { makeSellerStatement } from './commands/make-seller-statement.ts';
import { statementDocumentJob } from './statement-job.ts';

/** Not retried, because the next run makes up for a failed one. */
const askMissingJob = defineJob('closing.ask-missing', { cron: '*/5 * * * *', retries: 0 });

/** The documents of sales that close and of months that are closed. */
export const closingJobs: JobHandler<CtxWith<'files'>>[] = [
  handle(closingDocumentsJob, (ctx: CtxWith<'files'>, data) => makeClosingDocuments(ctx, data)),
  handle(statementDocumentJob, (ctx: CtxWith<'files'>, data) => makeSellerStatement(ctx, data)),
  handle(askMissingJob, (ctx) => askMissingDocuments(ctx)),
];
