import { payoutSchedule, savedPayoutApproval } from '#features/settings/reads.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { ScheduleSettings } from './model.ts';

/** What is stored, or the defaults. */
export async function storedSchedule(ctx: Ctx): Promise<ScheduleSettings> {
  const [{ frequency, minimumCents }, approval] = await Promise.all([
    payoutSchedule(ctx),
    savedPayoutApproval(ctx),
  ]);
  return { frequency, minimumCents, approvalCents: approval.cents };
}

/** As the schedule, whose threshold is the one of whoever has changed it last. */
export const asSchedule = <C extends Ctx>(ctx: C): C => asSystem(ctx, 'payouts');
