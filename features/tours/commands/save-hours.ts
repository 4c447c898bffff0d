import { authorizedSeller } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { tourLimits } from '../limits.ts';
import type { HoursErrors, SaveHoursResult, WeekdayHours } from '../model.ts';
import { mayHaveHours } from '../rules.ts';
import { isSpan } from '../spans.ts';

/**
 * Saves the hours of a week in which a seller shows properties; weekdays that are missing have none. Tours that were asked for already
 * stay as they are.
 * @throws Unauthenticated, Forbidden for everyone but sellers and for suspended ones; TooManyRequests
 */
export async function saveHours(
  ctx: Ctx,
  { week }: { week: readonly WeekdayHours[] },
): Promise<SaveHoursResult> {
  const seller = authorizedSeller(ctx, mayHaveHours);
  if (seller.suspended) throw new Forbidden();
  const errors: HoursErrors = {};
  for (const { weekday, ...hours } of week)
    if (!isSpan(hours)) errors[`day${weekday}`] = 'Please choose an end that is after the start.';
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  await takeTokens(ctx, tourLimits.hours, seller.id);
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    // Two saves at the same time follow each other.
    await q.selectFrom('agents').select('id').where('id', '=', seller.agentId).forUpdate().execute();
    const before = await q
      .selectFrom('tour_hours')
      .select(['weekday', 'starts', 'ends'])
      .where('agent_id', '=', seller.agentId)
      .orderBy('weekday')
      .execute();
    const after = week
      .map(({ weekday, starts, ends }) => ({ weekday, starts, ends }))
      .sort((one, other) => one.weekday - other.weekday);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await q.deleteFrom('tour_hours').where('agent_id', '=', seller.agentId).execute();
    if (after.length > 0)
      await q
        .insertInto('tour_hours')
        .values(after.map((hours) => ({ ...hours, agent_id: seller.agentId })))
        .execute();
    await audit(ctx, {
      action: 'tour.save_hours',
      entity: 'agent',
      entityId: seller.agentId,
      before: { week: before },
      after: { week: after },
    });
  });
  return { ok: true };
}
