import { type ActionArgs, redirectWithToast, runAction, type Submission } from '#app/actions/run-action.ts';
import { dropJob } from '#features/operations/commands/drop-job.ts';
import { dropUnsentMail } from '#features/operations/commands/drop-unsent-mail.ts';
import { retryJobs } from '#features/operations/commands/retry-jobs.ts';
import { retryMails } from '#features/operations/commands/retry-mails.ts';
import { operationRefusals } from '#features/operations/rules.ts';
import { dropMessage } from '#features/payments/commands/drop-message.ts';
import { replayMessage } from '#features/payments/commands/replay-message.ts';
import { plural } from '#platform/format-count.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { parseOperationsQuery, toOperationsQuery } from './query.ts';

type Result = { ok: true; count?: number } | { ok: false; reason: keyof typeof operationRefusals };

/** Tries again or drops what failed, and returns to the list with a toast. */
export function handleOperationsForm(args: ActionArgs & { url: URL }) {
  const back = adminPaths.operations(toOperationsQuery(parseOperationsQuery(args.url.searchParams)));
  const perform =
    (done: (count: number) => string, command: (submission: Submission) => Promise<Result>) =>
    async (submission: Submission) => {
      const result = await command(submission);
      if (result.ok) return redirectWithToast(back, { title: done(result.count ?? 1) });
      const text = operationRefusals[result.reason];
      if (result.reason === 'no_reason') return { ok: false as const, errors: { reason: text } };
      return redirectWithToast(back, { title: 'Not done', text, tone: 'bad' });
    };
  const counted = (one: string, many: string) => (count: number) => plural(count, one, many);
  return runAction(args, {
    intents: {
      'retry-job': perform(
        () => 'Job will run again',
        ({ ctx, text }) => retryJobs(ctx, { id: text('id') }),
      ),
      'retry-jobs': perform(counted('job will run again', 'jobs will run again'), ({ ctx, text }) =>
        retryJobs(ctx, { job: text('job') || null }),
      ),
      'drop-job': perform(
        () => 'Job dropped',
        ({ ctx, text }) => dropJob(ctx, { id: text('id'), reason: text('reason') }),
      ),
      'retry-mail': perform(
        () => 'Email will be sent again',
        ({ ctx, text }) => retryMails(ctx, { id: text('id') }),
      ),
      'retry-mails': perform(counted('email will be sent again', 'emails will be sent again'), ({ ctx }) =>
        retryMails(ctx, 'all'),
      ),
      'drop-mail': perform(
        () => 'Email dropped',
        ({ ctx, text }) => dropUnsentMail(ctx, { id: text('id'), reason: text('reason') }),
      ),
      'replay-message': perform(
        () => 'Message will be processed again',
        ({ ctx, text }) => replayMessage(ctx, { id: Number(text('id')) }),
      ),
      'drop-message': perform(
        () => 'Message dropped',
        ({ ctx, text }) => dropMessage(ctx, { id: Number(text('id')), reason: text('reason') }),
      ),
    },
    preserve: ['reason'],
  });
}
