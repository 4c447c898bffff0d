import type { PayoutFrequency } from '#features/settings/rules.ts';
import { DAY, HOUR } from '#platform/durations.ts';

/** Runs are due at 02:00 UTC, where no clock is put forward or back. */
const RUN_HOUR = 2;
/** No two runs are further apart: a month; biweekly ones at most three weeks, after a year of 53. */
const MOST_DAYS = 31;

/** One period of the schedule; its name is never used again. */
export interface Period {
  name: string;
  dueAt: Date;
}

/** The period that has begun last; null where there are none, as with instant and manual payouts. */
export const latestPeriod = (frequency: PayoutFrequency, at: Date): Period | null =>
  findPeriod(frequency, at, -1, (dueAt) => dueAt <= at);

/** The first period that begins after a moment; null where there are none. */
export const nextPeriod = (frequency: PayoutFrequency, after: Date): Period | null =>
  findPeriod(frequency, after, 1, (dueAt) => dueAt > after);

function findPeriod(
  frequency: PayoutFrequency,
  from: Date,
  direction: 1 | -1,
  fits: (dueAt: Date) => boolean,
): Period | null {
  const isRunDay = runDays[frequency];
  if (!isRunDay) return null;
  const today = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
  for (let days = 0; days <= MOST_DAYS; days += 1) {
    const day = new Date(today + direction * days * DAY);
    const dueAt = new Date(day.getTime() + RUN_HOUR * HOUR);
    if (isRunDay(day) && fits(dueAt))
      return { name: `${frequency} ${day.toISOString().slice(0, 10)}`, dueAt };
  }
  return null;
}

const isMonday = (day: Date) => day.getUTCDay() === 1;

/** On which UTC days payouts are made; null for no day in particular. */
const runDays: Readonly<Record<PayoutFrequency, ((day: Date) => boolean) | null>> = {
  instant: null,
  daily: () => true,
  weekly: isMonday,
  biweekly: (day) => isMonday(day) && isoWeek(day) % 2 === 0,
  monthly: (day) => day.getUTCDate() === 1,
  manual: null,
};

/** The ISO 8601 number of the week of a UTC day, 1–53: a week belongs to the year that its Thursday is in. */
export function isoWeek(day: Date): number {
  const thursday = new Date(day.getTime() + (4 - (day.getUTCDay() || 7)) * DAY);
  const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return 1 + Math.floor((thursday.getTime() - newYear) / (7 * DAY));
}
