import { authorizedSeller } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { tourLimits } from '../limits.ts';
import { mayHaveHours } from '../rules.ts';
import { isDay } from '../wall-clock.ts';

/**
 * Gives a day the hours of its weekday again. Nothing changes for a day that has them.
 * @throws Unauthenticated, Forbidden for everyone but sellers and for suspended ones; TooManyRequests
 */
export async function removeDay(ctx: Ctx, { day }: { day: string }): Promise<void> {
  const seller = authorizedSeller(ctx, mayHaveHours);
  if (seller.suspended) throw new Forbidden();
  if (!isDay(day)) return;
  await takeTokens(ctx, tourLimits.hours, seller.id);
  await ctx.db.tx(async () => {
    const removed = await ctx.db
      .q()
      .deleteFrom('tour_days')
      .where('agent_id', '=', seller.agentId)
      .where('day', '=', day)
      .returning('agent_id')
      .executeTakeFirst();
    if (removed)
      await audit(ctx, {
        action: 'tour.remove_day',
        entity: 'agent',
        entityId: seller.agentId,
        before: { day },
      });
  });
}
