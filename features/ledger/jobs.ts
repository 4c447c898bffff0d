import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import type { Config } from '#platform/config.ts';
import { UNHURRIED_MS, unhurried } from '#platform/db/unhurried.ts';
import { MINUTE, SECOND } from '#platform/durations.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import type { Finding } from './model.ts';
import { checkLedger } from './reads.ts';

const checkJob = defineJob('ledger.check', {
  cron: '5 4 * * *',
  retries: 1,
  expireSeconds: (UNHURRIED_MS + 5 * MINUTE) / SECOND,
});

/** The books are one subject: whatever does not balance, one task is open. */
const SUBJECT = 'nightly check';

/** The job that checks every night that the books balance (R4). */
export const ledgerJobs = ({ databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>): JobHandler[] => [
  handle(checkJob, async (ctx) => {
    const findings = await unhurried(ctx, databaseDirectUrl, checkLedger);
    if (findings.length === 0) {
      ctx.log.info('the books were checked and balance');
      await closeTasks(ctx, {
        kinds: ['ledger_broken'],
        subjectId: SUBJECT,
        resolution: 'A later check found nothing',
      });
      return;
    }
    const told = firstOfEachCheck(findings);
    ctx.log.error({ findings: findings.length, told }, 'the books do not balance');
    await openTask(ctx, {
      kind: 'ledger_broken',
      subjectId: SUBJECT,
      detail: [
        'npm run ledger:check lists all findings; the manual for production, “The books”, says what to do.',
        ...told,
      ].join(' '),
    });
  }),
];

/** One finding of each check stands for the others of it, so that many of one kind hide no other kind. */
function firstOfEachCheck(findings: readonly Finding[]): string[] {
  const byCheck = Map.groupBy(findings, ({ check }) => check);
  return [...byCheck.values()].flatMap(([first, ...others]) =>
    first
      ? [
          `${first.check}: ${first.subject}: ${first.detail}${others.length > 0 ? `, and ${others.length} more` : ''}.`,
        ]
      : [],
  );
}
