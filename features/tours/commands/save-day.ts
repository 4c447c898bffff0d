import { authorizedSeller } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { Forbidden } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { tourLimits } from '../limits.ts';
import { DAYS_LIMIT, type DayErrors, type DayHours, type SaveDayResult } from '../model.ts';
import { mayHaveHours } from '../rules.ts';
import { isSpan } from '../spans.ts';
import { isDay } from '../wall-clock.ts';

/**
 * Saves what a day has instead of its weekday's hours: other ones, or none. A day that has some already gets these.
 * @throws Unauthenticated, Forbidden for everyone but sellers and for suspended ones; TooManyRequests
 */
export async function saveDay(ctx: Ctx, { day, hours }: DayHours): Promise<SaveDayResult> {
  const seller = authorizedSeller(ctx, mayHaveHours);
  if (seller.suspended) throw new Forbidden();
  // Yesterday is today somewhere.
  const yesterday = new Date(ctx.now().getTime() - DAY).toISOString().slice(0, 10);
  const lastDay = new Date(ctx.now().getTime() + 366 * DAY).toISOString().slice(0, 10);
  const errors: DayErrors = {};
  if (!isDay(day) || day < yesterday || day > lastDay)
    errors.day = 'Please choose a day of the next 12 months.';
  if (hours && !isSpan(hours)) errors.hours = 'Please choose an end that is after the start.';
  if (errors.day || errors.hours) return { ok: false, errors };
  await takeTokens(ctx, tourLimits.hours, seller.id);
  return ctx.db.tx(async (): Promise<SaveDayResult> => {
    const q = ctx.db.q();
    await q.selectFrom('agents').select('id').where('id', '=', seller.agentId).forUpdate().execute();
    await q
      .deleteFrom('tour_days')
      .where('agent_id', '=', seller.agentId)
      .where('day', '<', yesterday)
      .execute();
    const { others } = await q
      .selectFrom('tour_days')
      .select((row) => row.fn.countAll<number>().as('others'))
      .where('agent_id', '=', seller.agentId)
      .where('day', '<>', day)
      .executeTakeFirstOrThrow();
    if (others >= DAYS_LIMIT)
      return { ok: false, errors: { day: `You can enter at most ${DAYS_LIMIT} days. Please remove some.` } };
    const span = { starts: hours?.starts ?? null, ends: hours?.ends ?? null };
    await q
      .insertInto('tour_days')
      .values({ agent_id: seller.agentId, day, ...span })
      .onConflict((conflict) => conflict.columns(['agent_id', 'day']).doUpdateSet(span))
      .execute();
    await audit(ctx, {
      action: 'tour.save_day',
      entity: 'agent',
      entityId: seller.agentId,
      after: { day, hours },
    });
    return { ok: true };
  });
}
