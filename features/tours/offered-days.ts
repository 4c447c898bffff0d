import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { NotFound } from '#platform/errors.ts';
import { freeTimes } from './free-times.ts';
import { DAYS_AHEAD, type FreeDay, openStatuses, type TourHours } from './model.ts';
import { dayIn, laterDay } from './wall-clock.ts';
import { zoneOf } from './zone.ts';

/** When a seller is free, with the days from `from` ('YYYY-MM-DD') on. */
export async function readHours(ctx: Ctx, agentId: string, from: string): Promise<TourHours> {
  const q = ctx.db.q();
  const [week, days] = await Promise.all([
    q
      .selectFrom('tour_hours')
      .select(['weekday', 'starts', 'ends'])
      .where('agent_id', '=', agentId)
      .orderBy('weekday')
      .execute(),
    q
      .selectFrom('tour_days')
      .select(['starts', 'ends'])
      .select((column) => column.cast<string>('day', 'text').as('day'))
      .where('agent_id', '=', agentId)
      .where('day', '>=', from)
      .orderBy('day')
      .execute(),
  ]);
  return {
    week,
    days: days.map(({ day, starts, ends }) => ({
      day,
      hours: starts === null || ends === null ? null : { starts, ends },
    })),
  };
}

/** The free times of a listing's next two weeks, and the zone of its place. */
export async function offeredDays(
  ctx: Ctx,
  propertyId: string,
  agentId: string,
): Promise<{ days: FreeDay[]; zone: string }> {
  const now = ctx.now();
  const place = await ctx.db
    .q()
    .selectFrom('properties')
    .select(['state', 'latitude', 'longitude'])
    .where('id', '=', propertyId)
    .executeTakeFirst();
  if (!place) throw new NotFound('Property not found');
  const zone = zoneOf(place);
  const [hours, taken] = await Promise.all([
    readHours(ctx, agentId, laterDay(dayIn(now, zone), -1)),
    ctx.db
      .q()
      .selectFrom('tours')
      .select('starts_at')
      .where('agent_id', '=', agentId)
      .where('status', 'in', openStatuses)
      .where('starts_at', '>', now)
      .where('starts_at', '<', new Date(now.getTime() + (DAYS_AHEAD + 1) * DAY))
      .execute(),
  ]);
  return {
    zone,
    days: freeTimes(hours, {
      zone,
      now,
      taken: new Set(taken.map(({ starts_at }) => starts_at.getTime())),
    }),
  };
}
