import { describe, expect, it } from 'vitest';
import { comparisonText, countsText, dayLabel } from './display.ts';
import { compare, coveredDays, median, medianDays, withoutGaps } from './rules.ts';

describe('the median', () => {
  it.each([
    [[], null],
    [[3], 3],
    [[5, 1, 3], 3],
    [[4, 1, 2, 10], 3],
    [[1, 2], 1.5],
    [[10, 9, 100], 10],
    [[1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], Number.POSITIVE_INFINITY],
    [[1, 2, 3, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], 3],
  ])('of %j is %s', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

describe('the covered days', () => {
  it('are thirty of UTC, the last one today, across months and the change of clocks', () => {
    const days = coveredDays(new Date('2026-03-10T00:30:00Z'));
    expect(days).toHaveLength(30);
    expect([days[0], days[19], days[20], days[29]]).toEqual([
      '2026-02-09',
      '2026-02-28',
      '2026-03-01',
      '2026-03-10',
    ]);
  });

  it('have zeros where nothing happened', () => {
    const row = { day: '2026-03-02', views: 4, watches: 0, inquiries: 1 };
    expect(withoutGaps(['2026-03-01', '2026-03-02'], [row])).toEqual([
      { day: '2026-03-01', views: 0, watches: 0, inquiries: 0 },
      row,
    ]);
  });
});

describe('a comparison', () => {
  const similar = (...views: number[]) => views.map((each) => ({ views: each, watches: 1, inquiries: 0 }));

  it('takes at least five similar listings', () => {
    expect(compare(similar(1, 2, 3, 4), 'OR')).toBe('too_few');
    expect(compare([], 'OR')).toBe('too_few');
    expect(compare(similar(1, 2, 3, 4, 5), 'OR')).toEqual({
      listings: 5,
      place: 'OR',
      counts: { views: 3, watches: 1, inquiries: 0 },
    });
  });

  it.each([
    [[2, 4, 6, null, null], 6],
    [[2, 4, null, null, null], null],
    [[2, 4, 6, null, null, null], null],
    [[1, 2, 3, 4, null, null], 3.5],
    [[], null],
  ])('of the days to the first inquiry counts listings without one as the latest: %j', (days, expected) => {
    expect(medianDays(days)).toBe(expected);
  });
});

describe('the words', () => {
  it('name counts, days and what is compared', () => {
    expect(countsText({ views: 1204, watches: 2.5, inquiries: 1 })).toBe(
      '1,204 views, 2.5 watches and 1 inquiry',
    );
    expect(dayLabel('2026-03-01')).toBe('Mar 1');
    expect(comparisonText('too_few')).toContain('not enough similar listings');
    expect(comparisonText('off_market')).toContain('not on the market');
  });
});
