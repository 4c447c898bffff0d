import { DAY, MINUTE } from '#platform/durations.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format of a zone; making one takes far longer than using it. */
function formatOf(zone: string, kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${kind}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options });
  formats.set(key, known);
  return known;
}

const shown = (of: Intl.DateTimeFormat, at: Date): string => of.format(at).replaceAll('\u202f', ' ');

/** What clocks in a zone show at an instant, as if it were UTC, in milliseconds. */
function localTime(at: number, zone: string): number {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  const format = formatOf(zone, 'parts', {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  for (const { type, value } of format.formatToParts(at)) part[type] = value;
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(part[type]);
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'));
}

/**
 * The instant at which clocks in a zone show this day ('YYYY-MM-DD') and minute after midnight: the first of two where they are put
 * back, null where they are put forward over it.
 */
export function instantOf(day: string, minutes: number, zone: string): Date | null {
  const wanted = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE;
  if (Number.isNaN(wanted)) return null;
  // The clocks' distance from UTC a day before and a day after covers every change between.
  const candidates = [wanted - DAY, wanted + DAY].map((near) => wanted - (localTime(near, zone) - near));
  const found = candidates.filter((at) => localTime(at, zone) === wanted);
  return found.length > 0 ? new Date(Math.min(...found)) : null;
}

/** The day that it is in a zone at an instant: 'YYYY-MM-DD'. */
export const dayIn = (at: Date, zone: string): string =>
  new Date(localTime(at.getTime(), zone)).toISOString().slice(0, 10);

/** The day so many days later: 'YYYY-MM-DD'. */
export const laterDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** 0 for Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** True for a day that the calendar has: 'YYYY-MM-DD'. */
export function isDay(day: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(day)) return false;
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

/** 'Wed, Nov 25, 3:00 PM PST', by the clock of the zone. */
export const momentIn = (at: Date, zone: string): string =>
  shown(
    formatOf(zone, 'moment', {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
    at,
  );

/** '3:00 PM', by the clock of the zone. */
export const timeIn = (at: Date, zone: string): string =>
  shown(formatOf(zone, 'time', { hour: 'numeric', minute: '2-digit' }), at);

/** 'Wed, Nov 25' */
export const dayLabel = (day: string): string =>
  shown(
    formatOf('UTC', 'day', { weekday: 'short', month: 'short', day: 'numeric' }),
    new Date(`${day}T00:00:00Z`),
  );

/** 'Pacific Time' */
export function zoneNameOf(zone: string, at: Date): string {
  const parts = formatOf(zone, 'name', { timeZoneName: 'longGeneric' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** '3:00 PM' of minutes after midnight; 1440 is midnight again. */
export const minuteLabel = (minutes: number): string =>
  timeIn(new Date(Date.UTC(2026, 0, 1) + minutes * MINUTE), 'UTC');
