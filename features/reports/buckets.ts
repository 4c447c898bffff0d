import type { Bucket, Grouping, ReportQuery, ReportRange } from './model.ts';
import { addDays, dayCount } from './zone-days.ts';

const inWords = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return (day: string) => format.format(Date.parse(`${day}T00:00:00Z`));
};
const shortDay = inWords({ month: 'short', day: 'numeric' });
const longDay = inWords({ month: 'long', day: 'numeric', year: 'numeric' });
const shortMonth = inWords({ month: 'short' });
const monthAndYear = inWords({ month: 'short', year: 'numeric' });
const longMonth = inWords({ month: 'long', year: 'numeric' });

/** The week of its month that a day is in: the first ends with the first Saturday. */
export function weekOfMonth(day: string): number {
  const dayOfMonth = Number(day.slice(8));
  const weekdayOfFirst = new Date(`${day.slice(0, 8)}01T00:00:00Z`).getUTCDay();
  return Math.ceil((dayOfMonth + weekdayOfFirst) / 7);
}

const keyOf: Record<Grouping, (day: string) => string> = {
  daily: (day) => day,
  weekly: (day) => `${day.slice(0, 7)}-w${weekOfMonth(day)}`,
  monthly: (day) => day.slice(0, 7),
};

/**
 * The points of the time axis of a range, the earliest first, without gaps: days, weeks of a month, or months. The first and the
 * last may be clipped.
 */
export function bucketsOf(query: ReportQuery): Bucket[] {
  const { from, grouping } = query;
  const keyIn = keyOf[grouping];
  const buckets: { key: string; from: string; to: string }[] = [];
  const count = dayCount(query);
  for (let n = 0; n < count; n += 1) {
    const day = addDays(from, n);
    const key = keyIn(day);
    const last = buckets.at(-1);
    if (last?.key === key) last.to = day;
    else buckets.push({ key, from: day, to: day });
  }
  return buckets.map((bucket) => ({ ...bucket, ...wordsOf[grouping](bucket, query) }));
}

type Words = (days: { from: string; to: string }, range: ReportRange) => { label: string; title: string };

const wordsOf: Record<Grouping, Words> = {
  daily: ({ from }, range) => ({
    label: sameYear(range) ? shortDay(from) : `${shortDay(from)}, ${from.slice(0, 4)}`,
    title: longDay(from),
  }),
  weekly: (days, range) => {
    const week = `Week ${weekOfMonth(days.from)}`;
    const month = sameYear(range) ? shortMonth(days.from) : monthAndYear(days.from);
    const sameMonth = range.from.slice(0, 7) === range.to.slice(0, 7);
    return {
      label: sameMonth ? week : `${week}, ${month}`,
      title: `${week} of ${longMonth(days.from)}, ${datesOf(days)}`,
    };
  },
  monthly: (days) => ({
    label: monthAndYear(days.from),
    title: isWholeMonth(days) ? longMonth(days.from) : `${longMonth(days.from)}, ${datesOf(days)}`,
  }),
};

const sameYear = ({ from, to }: ReportRange) => from.slice(0, 4) === to.slice(0, 4);

const datesOf = ({ from, to }: { from: string; to: string }) =>
  from === to ? shortDay(from) : `${shortDay(from)} – ${shortDay(to)}`;

const isWholeMonth = ({ from, to }: { from: string; to: string }) =>
  from.endsWith('-01') && addDays(to, 1).endsWith('-01');
