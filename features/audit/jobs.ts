import { openTask } from '#features/tasks/commands/open-task.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { chainAudit } from './commands/chain-audit.ts';
import { checkAudit } from './reads.ts';

const chain = defineJob('audit.chain', { cron: '* * * * *', retries: 0 });
/** Finds rows that were committed long after they were written. */
const sweep = defineJob('audit.sweep', { cron: '7,22,37,52 * * * *', retries: 0 });
const check = defineJob('audit.check', { cron: '25 4 * * *', retries: 1, expireSeconds: 3_600 });

/** Findings told in the task; the command tells all. */
const FINDINGS_IN_TASK = 5;

/** By the clock alone, never woken by a writer, whom that would cost a statement. */
export const auditJobs: JobHandler[] = [
  handle(chain, async (ctx, _data, { signal }) => void (await chainAudit(ctx, { signal }))),
  handle(sweep, async (ctx, _data, { signal }) => void (await chainAudit(ctx, { all: true, signal }))),
  handle(check, async (ctx) => {
    const { findings, total, head } = await checkAudit(ctx);
    ctx.log.info({ findings: total, head }, 'the audit log was checked');
    if (total === 0) return;
    const told = findings
      .slice(0, FINDINGS_IN_TASK)
      .map(({ check, subject, detail }) => `${check}: ${subject}: ${detail}.`);
    await openTask(ctx, {
      kind: 'audit_broken',
      subjectId: 'daily check',
      detail: [`${total} findings of npm run audit:check.`, ...told].join(' '),
    });
  }),
];
