import {
  createScheduledRun,
  type ScheduledPeriod,
} from '#features/payout-runs/commands/create-scheduled-run.ts';
import { payoutSchedule } from '#features/settings/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { latestPeriod } from '../periods.ts';
import { mayRunSchedule } from '../rules.ts';

/**
 * Makes the payouts that the schedule says are due, once in each period, in whichever process and however often this runs. After a
 * time without a server the last period alone is made up for; a period from before the schedule was set is none.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function runPayoutSchedule(ctx: CtxWith<'payouts'>): Promise<void> {
  authorize(ctx, mayRunSchedule);
  const due = await duePeriod(ctx);
  if (due) await createScheduledRun(ctx, due);
}

async function duePeriod(ctx: Ctx): Promise<ScheduledPeriod | null> {
  const { frequency, minimumCents, since, setBy } = await payoutSchedule(ctx);
  const now = ctx.now();
  if (frequency === 'instant')
    return { period: `instant ${now.toISOString()}`, dueAt: now, minimumCents, isInstant: true, setBy };
  const period = latestPeriod(frequency, now);
  if (!period || since === null || period.dueAt <= since || (await hasRun(ctx, period.name))) return null;
  return { period: period.name, dueAt: period.dueAt, minimumCents, isInstant: false, setBy };
}

async function hasRun(ctx: Ctx, period: string): Promise<boolean> {
  const run = await ctx.db
    .q()
    .selectFrom('scheduled_payouts')
    .select('period')
    .where('period', '=', period)
    .executeTakeFirst();
  return run !== undefined;
}
