import type { Bucket, Grouping, ReportQuery, ReportRange } from './model.ts';
import { addDays, dayCount } from './zone-days.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const monthName = (day: string) => MONTHS[Number(day.slice(5, 7)) - 1] ?? '';
const shortMonth = (day: string) => monthName(day).slice(0, 3);
const dayOfMonth = (day: string) => Number(day.slice(8));
const shortDay = (day: string) => `${shortMonth(day)} ${dayOfMonth(day)}`;
const longDay = (day: string) => `${monthName(day)} ${dayOfMonth(day)}, ${day.slice(0, 4)}`;
const monthAndYear = (day: string) => `${shortMonth(day)} ${day.slice(0, 4)}`;
const longMonth = (day: string) => `${monthName(day)} ${day.slice(0, 4)}`;

/** The week of its month that a day is in: the first ends with the first Saturday. */
export function weekOfMonth(day: string): number {
  const weekdayOfFirst = new Date(`${day.slice(0, 8)}01T00:00:00Z`).getUTCDay();
  return Math.ceil((dayOfMonth(day) + weekdayOfFirst) / 7);
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
