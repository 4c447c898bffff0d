import { describe, expect, it } from 'vitest';
import type { PayoutFrequency } from '#features/settings/rules.ts';
import { isoWeek, latestPeriod, nextPeriod } from './periods.ts';

const next = (frequency: PayoutFrequency, after: string) =>
  nextPeriod(frequency, new Date(after))?.dueAt.toISOString() ?? null;
const latest = (frequency: PayoutFrequency, at: string) =>
  latestPeriod(frequency, new Date(at))?.dueAt.toISOString() ?? null;

/** The days of the runs after a moment. */
function days(frequency: PayoutFrequency, after: string, count: number): string[] {
  const found: string[] = [];
  for (let at = new Date(after); found.length < count; ) {
    const period = nextPeriod(frequency, at);
    if (!period) break;
    at = period.dueAt;
    found.push(at.toISOString().slice(0, 10));
  }
  return found;
}

describe('the next scheduled payouts', () => {
  it.each([
    ['daily', '2026-11-23T01:59:59.999Z', '2026-11-23T02:00:00.000Z'],
    ['daily', '2026-11-23T02:00:00Z', '2026-11-24T02:00:00.000Z'],
    ['daily', '2026-12-31T02:00:00Z', '2027-01-01T02:00:00.000Z'],
    ['daily', '2028-02-28T03:00:00Z', '2028-02-29T02:00:00.000Z'],
    ['daily', '2027-02-28T03:00:00Z', '2027-03-01T02:00:00.000Z'],
    ['weekly', '2026-11-23T01:00:00Z', '2026-11-23T02:00:00.000Z'],
    ['weekly', '2026-11-23T02:00:00Z', '2026-11-30T02:00:00.000Z'],
    ['weekly', '2026-12-29T00:00:00Z', '2027-01-04T02:00:00.000Z'],
    // 23 November 2026 is in week 48.
    ['biweekly', '2026-11-22T00:00:00Z', '2026-11-23T02:00:00.000Z'],
    ['biweekly', '2026-11-23T02:00:00Z', '2026-12-07T02:00:00.000Z'],
    ['monthly', '2026-11-23T02:00:00Z', '2026-12-01T02:00:00.000Z'],
    ['monthly', '2026-12-01T02:00:00Z', '2027-01-01T02:00:00.000Z'],
    ['monthly', '2028-02-01T02:00:00Z', '2028-03-01T02:00:00.000Z'],
    ['monthly', '2026-12-01T01:59:00Z', '2026-12-01T02:00:00.000Z'],
    ['instant', '2026-11-23T02:00:00Z', null],
    ['manual', '2026-11-23T02:00:00Z', null],
  ] as const)('%s after %s are due at %s', (frequency, after, expected) => {
    expect(next(frequency, after)).toBe(expected);
  });

  it('biweekly are in even weeks, also after a year of 53', () => {
    expect(days('biweekly', '2026-12-01T00:00:00Z', 4)).toEqual([
      '2026-12-07',
      '2026-12-21',
      '2027-01-11',
      '2027-01-25',
    ]);
    expect(days('biweekly', '2024-12-10T00:00:00Z', 3)).toEqual(['2024-12-23', '2025-01-06', '2025-01-20']);
  });

  it('come at the same hour of UTC when clocks are put forward or back', () => {
    expect(days('daily', '2026-03-07T12:00:00Z', 3)).toEqual(['2026-03-08', '2026-03-09', '2026-03-10']);
    expect(next('daily', '2026-10-31T12:00:00Z')).toBe('2026-11-01T02:00:00.000Z');
    expect(next('weekly', '2026-03-28T12:00:00Z')).toBe('2026-03-30T02:00:00.000Z');
  });
});

describe('the last scheduled payouts', () => {
  it.each([
    ['daily', '2026-11-23T01:59:59.999Z', '2026-11-22T02:00:00.000Z'],
    ['daily', '2026-11-23T02:00:00Z', '2026-11-23T02:00:00.000Z'],
    ['daily', '2027-01-01T00:00:00Z', '2026-12-31T02:00:00.000Z'],
    ['weekly', '2027-01-03T23:00:00Z', '2026-12-28T02:00:00.000Z'],
    ['biweekly', '2027-01-11T01:00:00Z', '2026-12-21T02:00:00.000Z'],
    ['monthly', '2028-03-01T01:59:00Z', '2028-02-01T02:00:00.000Z'],
    ['manual', '2026-11-23T02:00:00Z', null],
    ['instant', '2026-11-23T02:00:00Z', null],
  ] as const)('%s at %s were due at %s', (frequency, at, expected) => {
    expect(latest(frequency, at)).toBe(expected);
  });

  it('have names of their own', () => {
    expect(latestPeriod('weekly', new Date('2026-11-25T00:00:00Z'))?.name).toBe('weekly 2026-11-23');
    expect(latestPeriod('biweekly', new Date('2026-11-25T00:00:00Z'))?.name).toBe('biweekly 2026-11-23');
  });

  it('are the next ones of the time before, at every hour of six years', () => {
    for (const frequency of ['daily', 'weekly', 'biweekly', 'monthly'] as const) {
      let before = latestPeriod(frequency, new Date('2024-01-01T00:00:00Z'));
      for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2030, 0, 1); at += 3_600_000) {
        const period = latestPeriod(frequency, new Date(at));
        if (period?.name === before?.name) continue;
        expect(period).toEqual(nextPeriod(frequency, before?.dueAt ?? new Date(0)));
        before = period;
      }
    }
  });
});

describe('the ISO week', () => {
  it.each([
    ['2026-01-01', 1],
    ['2026-12-28', 53],
    ['2027-01-01', 53],
    ['2027-01-04', 1],
    ['2024-12-29', 52],
    ['2024-12-30', 1],
    ['2020-12-31', 53],
    ['2021-01-03', 53],
    ['2028-02-29', 9],
  ])('of %s is %i', (day, week) => {
    expect(isoWeek(new Date(`${day}T00:00:00Z`))).toBe(week);
  });
});
