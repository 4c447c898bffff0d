import { DAY, MINUTE } from '#platform/durations.ts';
import type { ReportRange } from './model.ts';

/** Milliseconds that the clocks of a time zone are ahead of UTC at an instant. */
type Clock = (at: number) => number;

const formats = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Clock {
  const known = formats.get(zone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  if (!known) formats.set(zone, format);
  return (at) => {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of format.formatToParts(at)) part[type] = value;
    const read = (type: Intl.DateTimeFormatPartTypes) => Number(part[type]);
    const shown = Date.UTC(
      read('year'),
      read('month') - 1,
      read('day'),
      read('hour'),
      read('minute'),
      read('second'),
    );
    return shown - Math.floor(at / 1000) * 1000;
  };
}

const asUtc = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The day so many days later: 'YYYY-MM-DD'. */
export const addDays = (day: string, days: number): string =>
  new Date(asUtc(day) + days * DAY).toISOString().slice(0, 10);

/** How many days a range has. */
export const dayCount = ({ from, to }: Pick<ReportRange, 'from' | 'to'>): number =>
  Math.round((asUtc(to) - asUtc(from)) / DAY) + 1;

/** The same number of days just before a range. */
export const rangeBefore = <Range extends ReportRange>(range: Range): Range => ({
  ...range,
  from: addDays(range.from, -dayCount(range)),
  to: addDays(range.from, -1),
});

/** Clocks of every time zone differ from UTC by whole quarters of an hour, and change at them. */
const QUARTER = 15 * MINUTE;

/** No zone changes its clocks twice within as many days as lie between two such probes, with a day on both sides. */
const PROBED_EVERY = 4 * DAY;

/**
 * The instants at which days begin in a time zone: the first whose date there is that day or a later one, also where clocks are
 * put forward or back at midnight.
 * @throws RangeError for an unknown zone
 */
export function startsOfDays(days: readonly string[], zone: string): Date[] {
  if (zone === 'UTC') return days.map((day) => new Date(asUtc(day)));
  const clock = clockOf(zone);
  const asked = new Map<number, number>();
  const probe = (at: number) => {
    const known = asked.get(at) ?? clock(at);
    asked.set(at, known);
    return known;
  };
  return days.map((day) => {
    const midnight = asUtc(day);
    const before = probe(Math.floor((midnight - DAY) / PROBED_EVERY) * PROBED_EVERY);
    const after = probe(Math.ceil((midnight + DAY) / PROBED_EVERY) * PROBED_EVERY);
    let start = midnight - Math.max(before, after);
    if (before !== after) while (start + clock(start) < midnight) start += QUARTER;
    return new Date(start);
  });
}

/** The instants between which the days of a range lie, the second one not included. */
export function instantsOf({ from, to, zone }: ReportRange): [Date, Date] {
  const [start, end] = startsOfDays([from, addDays(to, 1)], zone);
  return [start, end] as [Date, Date];
}
