import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { answerDueDisputes } from './commands/answer-due-disputes.ts';
import { submitEvidence } from './commands/submit-evidence.ts';
import { evidenceJob } from './evidence-job.ts';

const answerDue = defineJob('disputes.answer', { cron: '17 * * * *', retries: 0 });

/** The jobs that answer disputes before their deadline. */
export const disputeJobs: JobHandler<CtxWith<'payments' | 'files'>>[] = [
  handle(answerDue, (ctx: CtxWith<'payments'>) => answerDueDisputes(ctx)),
  handle(evidenceJob, (ctx: CtxWith<'payments' | 'files'>, { evidenceId }, { last }) =>
    submitEvidence(ctx, { evidenceId, isLast: last }),
  ),
];
