import { readOrNull } from '#app/read-or.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import {
  currentRuns,
  failedPayouts,
  manualPayouts,
  notYetPayable,
  payoutRun,
  pendingPayouts,
  runPayouts,
} from '#features/payout-runs/reads.ts';
import { nextScheduledPayouts } from '#features/payout-schedule/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { referenceOf } from '#platform/http/reference.ts';
import { type PayoutsQuery, parsePayoutsQuery } from './payouts-query.ts';

export type PayoutManagementData = Awaited<ReturnType<typeof loadPayoutManagement>>;

/**
 * What Payout Management shows, as the URL says; a list that could not be read is null, and the page's status then 503 (see
 * `complete`).
 */
export async function loadPayoutManagement(ctx: Ctx, params: URLSearchParams) {
  const query = parsePayoutsQuery(params);
  const [pending, failed, manual, notYet, runs, schedule] = await Promise.all([
    // A list of money that nobody could see for one lost connection is asked for once more.
    twice(ctx, () => pendingPayouts(ctx, query)),
    readOrNull(ctx, () => failedPayouts(ctx, { page: query.failedPage })),
    readOrNull(ctx, () => manualPayouts(ctx, { page: query.manualPage })),
    readOrNull(ctx, () => notYetPayable(ctx, { page: query.notYetPage ?? 1 })),
    readOrNull(ctx, () => shownRuns(ctx, query)),
    readOrNull(ctx, () => nextScheduledPayouts(ctx)),
  ]);
  return {
    query,
    pending,
    failed,
    manual,
    notYet,
    runs,
    schedule,
    subject: await subjectOf(ctx, query),
    complete: Boolean(pending && failed && manual && notYet && runs),
    reference: referenceOf(ctx.requestId),
  };
}

const twice = async <T>(ctx: Ctx, read: () => Promise<T>): Promise<T | null> =>
  (await readOrNull(ctx, read)) ?? (await readOrNull(ctx, read));

/** Those of now, and the one that the URL names. */
async function shownRuns(ctx: Ctx, { run }: PayoutsQuery) {
  const runs = await currentRuns(ctx);
  if (run === null || runs.some(({ id }) => id === run)) return runs;
  const named = await nullWhenGone(payoutRun(ctx, { runId: run }));
  return named ? [...runs, named] : runs;
}

/** The payouts of the run that a dialog is about. */
const subjectOf = async (ctx: Ctx, { dialog, subject }: PayoutsQuery) =>
  dialog === 'approve-run' || dialog === 'decline-run'
    ? readOrNull(ctx, async () => {
        const run = await nullWhenGone(payoutRun(ctx, { runId: subject }));
        return run && { run, payouts: await runPayouts(ctx, { runId: subject }) };
      })
    : null;
