import { watchRuns } from '#features/payout-runs/commands/watch-runs.ts';
import { workPayoutRun } from '#features/payout-runs/commands/work-payout-run.ts';
import { sendPayout } from '#features/payouts/commands/send-payout.ts';
import { syncPayout } from '#features/payouts/commands/sync-payout.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { unlessUnanswered } from './faults.ts';

/** A run is worked a hundred payouts at a time. */
const TURNS = 10;

/** The jobs of runs and payouts, as one process does them. */
export async function workJobs(ctx: CtxWith<'payments' | 'payouts'>): Promise<void> {
  await watchRuns(ctx);
  for (const runId of await runningRuns(ctx))
    for (let turn = 0; turn < TURNS; turn += 1) await unlessUnanswered(() => workPayoutRun(ctx, { runId }));
  const payouts = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('id')
    .where('status', '=', 'processing')
    .where('provider', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const { id } of payouts) await unlessUnanswered(() => sendPayout(ctx, { payoutId: id }));
}

/** Messages make us ask about a part of the payouts: some messages come late, some never, some tell what is known. */
export async function followMessages(
  ctx: CtxWith<'payments' | 'payouts'>,
  { share, random }: { share: number; random: () => number },
): Promise<void> {
  const payouts = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('id')
    .where('provider', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  for (const { id } of payouts)
    if (random() < share) await unlessUnanswered(() => syncPayout(ctx, { payoutId: id }));
}

async function runningRuns(ctx: CtxWith<'payments' | 'payouts'>): Promise<string[]> {
  const runs = await ctx.db
    .q()
    .selectFrom('payout_runs')
    .select('id')
    .where('status', '=', 'running')
    .orderBy('requested_at')
    .execute();
  return runs.map(({ id }) => id);
}
