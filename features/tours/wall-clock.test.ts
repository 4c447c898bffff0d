import { describe, expect, it } from 'vitest';
import { calendarText } from '#features/feeds/display.ts';
import { tourCalendar } from './calendar-file.ts';
import { freeTimes } from './free-times.ts';
import { dayIn, instantOf, momentIn, zoneNameOf } from './wall-clock.ts';
import { zoneOf } from './zone.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;

describe('the clock of a place', () => {
  it('is that of its position, else that of most of its state', () => {
    expect(zoneOf({ state: 'FL', latitude: 30.42, longitude: -87.22 })).toBe('America/Chicago');
    expect(zoneOf({ state: 'FL', latitude: 25.77, longitude: -80.19 })).toBe('America/New_York');
    expect(zoneOf({ state: 'az', latitude: null, longitude: null })).toBe('America/Phoenix');
    expect(zoneOf({ state: '', latitude: null, longitude: null })).toBe('America/New_York');
  });

  it('reads days and minutes in summer and in winter', () => {
    expect(iso(instantOf('2026-07-01', 9 * 60, 'America/Los_Angeles'))).toBe('2026-07-01T16:00:00.000Z');
    expect(iso(instantOf('2026-12-01', 9 * 60, 'America/Los_Angeles'))).toBe('2026-12-01T17:00:00.000Z');
    expect(iso(instantOf('2026-12-01', 9 * 60, 'Pacific/Honolulu'))).toBe('2026-12-01T19:00:00.000Z');
    expect(iso(instantOf('no day', 0, 'America/Denver'))).toBeNull();
  });

  it('has no time that the clocks are put forward over, and of a repeated one the first', () => {
    expect(instantOf('2026-03-08', 2 * 60 + 30, 'America/New_York')).toBeNull();
    expect(iso(instantOf('2026-03-08', 3 * 60, 'America/New_York'))).toBe('2026-03-08T07:00:00.000Z');
    expect(iso(instantOf('2026-11-01', 60 + 30, 'America/New_York'))).toBe('2026-11-01T05:30:00.000Z');
    expect(iso(instantOf('2026-11-01', 2 * 60, 'America/New_York'))).toBe('2026-11-01T07:00:00.000Z');
  });

  it('names moments, days and itself', () => {
    const at = new Date('2026-11-26T03:00:00Z');
    expect(momentIn(at, 'America/Los_Angeles')).toBe('Wed, Nov 25, 7:00 PM PST');
    expect(dayIn(at, 'America/Los_Angeles')).toBe('2026-11-25');
    expect(zoneNameOf('America/Los_Angeles', at)).toBe('Pacific Time');
  });
});

describe('free times', () => {
  const zone = 'America/Los_Angeles';
  // A Friday, 9:40 AM there.
  const now = new Date('2026-11-20T17:40:00Z');
  const week = [{ weekday: 5, starts: 9 * 60, ends: 14 * 60 }];
  const none = new Set<number>();

  it('are within the hours, two hours from now at the earliest, and leave out what is taken', () => {
    const taken = new Set([Date.parse('2026-11-20T21:00:00Z')]);
    const [today, next, ...others] = freeTimes({ week, days: [] }, { zone, now, taken });
    expect(today).toMatchObject({ day: '2026-11-20', label: 'Fri, Nov 20' });
    expect(today?.times.map(({ label }) => label)).toEqual(['12:00 PM', '12:30 PM', '1:30 PM']);
    expect(next?.day).toBe('2026-11-27');
    expect(next?.times).toHaveLength(10);
    expect(others).toEqual([]);
  });

  it('follow the days that differ from the week', () => {
    const days = [
      { day: '2026-11-20', hours: null },
      { day: '2026-11-24', hours: { starts: 600, ends: 660 } },
      { day: '2026-11-27', hours: { starts: 600, ends: 630 } },
    ];
    const free = freeTimes({ week, days }, { zone, now, taken: none });
    expect(free.map(({ day, times }) => [day, times.map(({ at }) => at)])).toEqual([
      ['2026-11-24', ['2026-11-24T18:00:00.000Z', '2026-11-24T18:30:00.000Z']],
      ['2026-11-27', ['2026-11-27T18:00:00.000Z']],
    ]);
  });

  it('are none without hours', () => {
    expect(freeTimes({ week: [], days: [] }, { zone, now, taken: none })).toEqual([]);
  });
});

it('a calendar file names one attendee, and nothing in it can add a line', () => {
  const file = tourCalendar(
    {
      id: 'a',
      sequence: 3,
      startsAt: new Date('2026-11-26T03:00:00Z'),
      changedAt: new Date('2026-11-20T12:00:00Z'),
      address: '1 Elm, St\r\nATTENDEE:mailto:x@x.test',
      url: 'https://acre.test/buyer/tours',
    },
    {
      method: 'CANCEL',
      host: 'acre.test',
      organizer: { name: 'Acre', email: 'help@acre.test' },
      attendee: { name: 'Bea "B"\r\nX:1', email: 'bea@acre.test' },
    },
  );
  const lines = file.replaceAll('\r\n ', '').split('\r\n');
  expect(lines).toContain('METHOD:CANCEL');
  expect(lines).toContain('STATUS:CANCELLED');
  expect(lines).toContain('SEQUENCE:3');
  expect(lines).toContain('DTSTART:20261126T030000Z');
  expect(lines).toContain('DTEND:20261126T033000Z');
  expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toEqual([
    'ATTENDEE;CN="Bea  B X:1";PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:bea@acre.test',
  ]);
  expect(lines.some((line) => line.startsWith('X:'))).toBe(false);
  expect(lines.find((line) => line.startsWith('LOCATION'))).toBe(
    `LOCATION:${calendarText('1 Elm, St ATTENDEE:mailto:x@x.test')}`,
  );
});
