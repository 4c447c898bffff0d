import { sql } from 'kysely';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { BoundedCount } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import type { Commission } from './model.ts';
import { commissionOn, mayManageCommission, utcDay } from './rules.ts';
import { storedCommission } from './stored.ts';

/** The platform's share in percent, 0–100, of a sale that begins now, unless its seller has a rate of their own. */
export async function adminPercentage(ctx: Ctx): Promise<number> {
  authorize(ctx, anyone);
  return commissionOn(await storedCommission(ctx), utcDay(ctx.now())).percent;
}

/**
 * The commission that holds now, the change that is planned, and how many sellers have a rate of their own.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function platformCommission(
  ctx: Ctx,
): Promise<{ commission: Commission; ownRates: BoundedCount; today: string }> {
  authorize(ctx, mayManageCommission);
  const [stored, ownRates] = await Promise.all([
    storedCommission(ctx),
    boundedCount(ctx, sql`from agents where archived_at is null and commission_rate is not null`),
  ]);
  const today = utcDay(ctx.now());
  return { commission: commissionOn(stored, today), ownRates, today };
}
