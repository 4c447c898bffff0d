import { describe, expect, it } from 'vitest';
import { priceBands } from './bands.ts';
import { bucketsOf, weekOfMonth } from './buckets.ts';
import type { Grouping, ReportQuery } from './model.ts';
import { dayCount, instantsOf, rangeBefore, startsOfDays } from './zone-days.ts';

const query = (from: string, to: string, grouping: Grouping): ReportQuery => ({
  from,
  to,
  grouping,
  zone: 'UTC',
});
const shown = (from: string, to: string, grouping: Grouping) =>
  bucketsOf(query(from, to, grouping)).map(({ key, label, from: first, to: last }) => [
    key,
    label,
    first,
    last,
  ]);

describe('weeks of a month', () => {
  it.each([
    // March 2026 begins on a Sunday, August on a Saturday, February 2027 on a Monday.
    ['2026-03-01', 1],
    ['2026-03-07', 1],
    ['2026-03-08', 2],
    ['2026-03-31', 5],
    ['2026-08-01', 1],
    ['2026-08-02', 2],
    ['2026-08-30', 6],
    ['2027-02-06', 1],
    ['2027-02-28', 5],
  ])('%s is in week %i', (day, week) => {
    expect(weekOfMonth(day)).toBe(week);
  });
});

describe('buckets', () => {
  it('of days are all there, over the end of a month and a leap day', () => {
    expect(shown('2028-02-28', '2028-03-01', 'daily')).toEqual([
      ['2028-02-28', 'Feb 28', '2028-02-28', '2028-02-28'],
      ['2028-02-29', 'Feb 29', '2028-02-29', '2028-02-29'],
      ['2028-03-01', 'Mar 1', '2028-03-01', '2028-03-01'],
    ]);
  });

  it('of days name the year when the range spans years', () => {
    expect(shown('2026-12-31', '2027-01-01', 'daily').map(([, label]) => label)).toEqual([
      'Dec 31, 2026',
      'Jan 1, 2027',
    ]);
  });

  it('of weeks within a month are clipped to the range', () => {
    expect(shown('2026-12-03', '2026-12-14', 'weekly')).toEqual([
      ['2026-12-w1', 'Week 1', '2026-12-03', '2026-12-05'],
      ['2026-12-w2', 'Week 2', '2026-12-06', '2026-12-12'],
      ['2026-12-w3', 'Week 3', '2026-12-13', '2026-12-14'],
    ]);
  });

  it('of weeks never join two months, and name them', () => {
    expect(shown('2026-11-28', '2026-12-06', 'weekly')).toEqual([
      ['2026-11-w4', 'Week 4, Nov', '2026-11-28', '2026-11-28'],
      ['2026-11-w5', 'Week 5, Nov', '2026-11-29', '2026-11-30'],
      ['2026-12-w1', 'Week 1, Dec', '2026-12-01', '2026-12-05'],
      ['2026-12-w2', 'Week 2, Dec', '2026-12-06', '2026-12-06'],
    ]);
  });

  it('of weeks in two years keep the same weeks apart', () => {
    const weeks = bucketsOf(query('2025-12-16', '2026-12-20', 'weekly'));
    expect(new Set(weeks.map(({ key }) => key)).size).toBe(weeks.length);
    expect(weeks[0]).toMatchObject({
      label: 'Week 3, Dec 2025',
      title: 'Week 3 of December 2025, Dec 16 – Dec 20',
    });
    expect(weeks.at(-1)?.label).toBe('Week 4, Dec 2026');
  });

  it('of months are clipped at both ends', () => {
    expect(bucketsOf(query('2026-01-15', '2026-03-02', 'monthly'))).toEqual([
      {
        key: '2026-01',
        label: 'Jan 2026',
        title: 'January 2026, Jan 15 – Jan 31',
        from: '2026-01-15',
        to: '2026-01-31',
      },
      { key: '2026-02', label: 'Feb 2026', title: 'February 2026', from: '2026-02-01', to: '2026-02-28' },
      {
        key: '2026-03',
        label: 'Mar 2026',
        title: 'March 2026, Mar 1 – Mar 2',
        from: '2026-03-01',
        to: '2026-03-02',
      },
    ]);
  });

  it('cover each day of five years once, however they are grouped', () => {
    for (const grouping of ['daily', 'weekly', 'monthly'] as const) {
      const buckets = bucketsOf(query('2021-11-24', '2026-11-23', grouping));
      expect(buckets.reduce((days, bucket) => days + dayCount(bucket), 0)).toBe(1826);
    }
  });
});

describe('days in a time zone', () => {
  it.each([
    ['Honolulu, ten hours behind', 'Pacific/Honolulu', '2026-11-23', '2026-11-23T10:00:00.000Z'],
    ['Kathmandu, 5:45 ahead', 'Asia/Kathmandu', '2026-11-23', '2026-11-22T18:15:00.000Z'],
    ['Chatham, 13:45 ahead in summer', 'Pacific/Chatham', '2026-12-24', '2026-12-23T10:15:00.000Z'],
    ['Kiritimati, 14 hours ahead', 'Pacific/Kiritimati', '2026-11-23', '2026-11-22T10:00:00.000Z'],
    ['New York, before clocks go back', 'America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['New York, after clocks went back', 'America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['New York, before clocks go forward', 'America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['New York, after clocks went forward', 'America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['Cairo, where midnight does not exist', 'Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['Havana, where midnight comes twice', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Lord Howe, half an hour forward', 'Australia/Lord_Howe', '2026-10-05', '2026-10-04T13:00:00.000Z'],
    ['Apia, a day that does not exist', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Apia, the day after', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('%s', (_, zone, day, start) => {
    expect(startsOfDays([day], zone).map((at) => at.toISOString())).toEqual([start]);
  });

  it('have 23 and 25 hours when clocks change', () => {
    const hours = (day: string) => {
      const [from, to] = instantsOf({ from: day, to: day, zone: 'Europe/Berlin' });
      return (to.getTime() - from.getTime()) / 3_600_000;
    };
    expect([hours('2026-03-29'), hours('2026-10-25'), hours('2026-10-26')]).toEqual([23, 25, 24]);
  });

  it('refuse a zone that does not exist', () => {
    expect(() => startsOfDays(['2026-01-01'], 'Mars/Olympus')).toThrow(RangeError);
  });

  it('before a range are as many', () => {
    const before = rangeBefore(query('2026-03-01', '2026-03-31', 'daily'));
    expect(before).toMatchObject({ from: '2026-01-29', to: '2026-02-28' });
    expect(dayCount(before)).toBe(31);
  });
});

describe('price bands', () => {
  it('hold their lower bound, and the last one everything from two million dollars', () => {
    const bandOf = (cents: number) =>
      priceBands.find(
        ({ fromCents, toCents }) => cents >= fromCents && cents < (toCents ?? Number.POSITIVE_INFINITY),
      )?.number;
    expect([0, 99_999_99, 100_000_00, 1_999_999_99, 2_000_000_00, 900_000_000_00].map(bandOf)).toEqual([
      0, 0, 1, 19, 20, 20,
    ]);
    expect(priceBands.map(({ label }) => label)).toEqual([
      '0–100k',
      '100k–200k',
      '200k–300k',
      '300k–400k',
      '400k–500k',
      '500k–600k',
      '600k–700k',
      '700k–800k',
      '800k–900k',
      '900k–1000k',
      '1000k–1100k',
      '1100k–1200k',
      '1200k–1300k',
      '1300k–1400k',
      '1400k–1500k',
      '1500k–1600k',
      '1600k–1700k',
      '1700k–1800k',
      '1800k–1900k',
      '1900k–2000k',
      '2000k+',
    ]);
    expect(priceBands.at(-1)).toMatchObject({ fromCents: 2_000_000_00, toCents: null });
  });
});
