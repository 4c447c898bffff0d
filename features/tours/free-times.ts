import { MINUTE } from '#platform/durations.ts';
import { DAYS_AHEAD, type FreeDay, LEAD_MS, TOUR_MINUTES, type TourHours } from './model.ts';
import { dayIn, dayLabel, instantOf, laterDay, timeIn, weekdayOf } from './wall-clock.ts';

/**
 * The times of the next two weeks that can be asked for, by day: what the seller's hours allow, without those that are `taken`
 * (instants in milliseconds), and without what is too soon. Days without a free time are left out.
 */
export function freeTimes(
  { week, days }: TourHours,
  { zone, now, taken }: { zone: string; now: Date; taken: ReadonlySet<number> },
): FreeDay[] {
  const today = dayIn(now, zone);
  const earliest = now.getTime() + LEAD_MS;
  const exceptions = new Map(days.map(({ day, hours }) => [day, hours]));
  const weekly = new Map(week.map((hours) => [hours.weekday, hours]));
  return Array.from({ length: DAYS_AHEAD }, (_, ahead) => laterDay(today, ahead)).flatMap((day) => {
    const hours = exceptions.has(day) ? exceptions.get(day) : weekly.get(weekdayOf(day));
    if (!hours) return [];
    const times = [];
    for (let minutes = hours.starts; minutes + TOUR_MINUTES <= hours.ends; minutes += TOUR_MINUTES) {
      const at = instantOf(day, minutes, zone);
      if (!at || at.getTime() < earliest || taken.has(at.getTime())) continue;
      if (at.getTime() % (TOUR_MINUTES * MINUTE) !== 0) continue;
      times.push({ at: at.toISOString(), label: timeIn(at, zone) });
    }
    return times.length > 0 ? [{ day, label: dayLabel(day), times }] : [];
  });
}
