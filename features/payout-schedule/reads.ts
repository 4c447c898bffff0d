import { payoutRun } from '#features/payout-runs/reads.ts';
import { payoutApprovalCents, payoutSchedule, savedPayoutApproval } from '#features/settings/reads.ts';
import { nameOf } from '#features/tasks/administrators.ts';
import { payoutMethods } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import type { LastPayouts, NextPayouts, PayoutScheduleState } from './model.ts';
import { nextPeriod } from './periods.ts';
import { inWords } from './rules.ts';
import { asSchedule, storedSchedule } from './stored.ts';

/**
 * When sellers are paid without an administrator: what is set, when the schedule pays next, and how it did last.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function payoutScheduleState(ctx: CtxWith<'payouts'>): Promise<PayoutScheduleState> {
  // Nobody else may read the settings, so nothing else is read for anyone else.
  const settings = await storedSchedule(ctx);
  const [raised, next, last] = await Promise.all([
    raisedThreshold(ctx),
    nextScheduledPayouts(ctx),
    lastPayouts(ctx),
  ]);
  const byHand = payoutMethods.filter((method) => ctx.payouts.forMethod(method) === null);
  return { settings, raised, next, last, byHand };
}

/**
 * When the schedule pays next.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function nextScheduledPayouts(ctx: Ctx): Promise<NextPayouts> {
  const { frequency, minimumCents } = await payoutSchedule(ctx);
  const now = ctx.now();
  const at = nextPeriod(frequency, now)?.dueAt ?? null;
  return {
    frequency,
    minimumCents,
    at: at?.toISOString() ?? null,
    inWords: at && inWords(now, at),
  };
}

/** A threshold that whoever has set it last cannot use: nobody raises what they may do alone. */
async function raisedThreshold(ctx: Ctx): Promise<PayoutScheduleState['raised']> {
  const [{ cents, changedBy }, boundCents] = await Promise.all([
    savedPayoutApproval(ctx),
    payoutApprovalCents(asSchedule(ctx)),
  ]);
  if (cents === boundCents || changedBy === null) return null;
  return {
    by: (await nameOf(ctx, changedBy)) ?? 'A former administrator',
    isViewer: ctx.actor.kind === 'user' && ctx.actor.id === changedBy,
    boundCents,
  };
}

async function lastPayouts(ctx: Ctx): Promise<LastPayouts | null> {
  const last = await ctx.db
    .q()
    .selectFrom('scheduled_payouts')
    .select(['run_id', 'ran_at', 'sellers_below_minimum'])
    .orderBy('ran_at', 'desc')
    .orderBy('period')
    .limit(1)
    .executeTakeFirst();
  if (!last) return null;
  return {
    at: last.ran_at.toISOString(),
    run: last.run_id === null ? null : await payoutRun(ctx, { runId: last.run_id }),
    sellersBelowMinimum: last.sellers_below_minimum,
  };
}
