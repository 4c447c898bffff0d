import { describe, expect, it, test } from 'vitest';
import {
  beforeInWords,
  daysInWords,
  fileParams,
  keepParam,
  presetsOf,
  reportViewFrom,
  todayIn,
  viewParams,
} from './range.ts';

const NOW = new Date('2025-01-14T03:30:00Z');
const viewOf = (url: string, zone = 'America/New_York') =>
  reportViewFrom(new URLSearchParams(url), { now: NOW, zone });

describe('the range of a report', () => {
  test.each([
    ['is the last 30 days, of the reader’s calendar', '', '2024-12-15', '2025-01-13', null],
    ['is of the zone of the URL', 'zone=Asia/Kathmandu', '2024-12-16', '2025-01-14', null],
    ['is that of the URL', 'from=2024-02-01&to=2024-02-29', '2024-02-01', '2024-02-29', null],
    ['is one day', 'from=2024-02-29&to=2024-02-29', '2024-02-29', '2024-02-29', null],
    [
      'is turned when its ends are the wrong way round',
      'from=2024-03-01&to=2024-02-01',
      '2024-02-01',
      '2024-03-01',
      null,
    ],
    ['stays when only the start is given', 'from=2024-02-01', '2024-12-15', '2025-01-13', 'missing-end'],
    ['stays when only the end is given', 'from=&to=2024-02-01', '2024-12-15', '2025-01-13', 'missing-end'],
    [
      'stays when one end is no day',
      'from=2024-02-30&to=2024-03-01',
      '2024-12-15',
      '2025-01-13',
      'missing-end',
    ],
    [
      'stays that of the page',
      'from=2024-02-01&to=&keep=2023-01-01..2023-01-31',
      '2023-01-01',
      '2023-01-31',
      'missing-end',
    ],
    [
      'stays that of the page, and says so, when both ends are cleared',
      'from=&to=&keep=2023-01-01..2023-01-31',
      '2023-01-01',
      '2023-01-31',
      'missing-end',
    ],
    [
      'is the new one when both ends are given',
      'from=2024-02-01&to=2024-02-02&keep=2023-01-01..2023-01-31',
      '2024-02-01',
      '2024-02-02',
      null,
    ],
    ['is the usual one for nonsense', 'from=x&to=1&keep=..', '2024-12-15', '2025-01-13', null],
    ['is five years at most', 'from=2010-01-01&to=2024-06-30', '2019-07-01', '2024-06-30', 'shortened'],
    ['is five years exactly', 'from=2019-07-01&to=2024-06-30', '2019-07-01', '2024-06-30', null],
    [
      'is five years up to a leap day',
      'from=2010-01-01&to=2024-02-29',
      '2019-03-01',
      '2024-02-29',
      'shortened',
    ],
  ])('%s', (_, url, from, to, hint) => {
    const { query, hint: said } = viewOf(url);
    expect({ from: query.from, to: query.to, hint: said }).toEqual({ from, to, hint });
  });

  test.each([
    ['Pacific/Honolulu', '2025-01-13'],
    ['UTC', '2025-01-14'],
    ['Asia/Kathmandu', '2025-01-14'],
    ['Pacific/Kiritimati', '2025-01-14'],
  ])('today in %s is %s', (zone, day) => expect(todayIn(zone, NOW)).toBe(day));

  it('offers the usual ones', () => {
    const shown = (today: string) => presetsOf(today).map(({ label, from, to }) => `${label}: ${from} ${to}`);
    expect(shown('2025-01-14')).toEqual([
      'Last 7 days: 2025-01-08 2025-01-14',
      'Last 30 days: 2024-12-16 2025-01-14',
      'Last 90 days: 2024-10-17 2025-01-14',
      'This month: 2025-01-01 2025-01-14',
      'Last month: 2024-12-01 2024-12-31',
      'This quarter: 2025-01-01 2025-01-14',
      'Last quarter: 2024-10-01 2024-12-31',
      'This year: 2025-01-01 2025-01-14',
      'Last year: 2024-01-01 2024-12-31',
    ]);
    expect(shown('2024-05-31')).toContain('Last month: 2024-04-01 2024-04-30');
    expect(shown('2024-05-31')).toContain('Last quarter: 2024-01-01 2024-03-31');
  });

  it('is told in words', () => {
    expect(daysInWords({ from: '2024-12-15', to: '2025-01-13' })).toBe('Dec 15, 2024 – Jan 13, 2025');
    expect(daysInWords({ from: '2024-02-29', to: '2024-02-29' })).toBe('Feb 29, 2024');
    expect(beforeInWords({ from: '2024-12-15', to: '2025-01-13' })).toBe('the 30 days before');
    expect(beforeInWords({ from: '2024-02-29', to: '2024-02-29' })).toBe('the day before');
  });
});

describe('the URL of a report', () => {
  it('ignores what it does not know', () => {
    const view = viewOf('tab=nothing&grouping=hourly&zone=Nowhere/Land&as=pictures');
    expect(view).toMatchObject({ tab: 'financial', daysChosen: false, zoneChosen: false, tables: false });
    expect(view.query).toMatchObject({ grouping: 'daily', zone: 'America/New_York' });
    for (const zone of ['+05:30', 'x'.repeat(61), "'; drop", '\0'])
      expect(viewOf(`zone=${encodeURIComponent(zone)}`).query.zone).toBe('America/New_York');
  });

  it('leaves out what the page has by itself', () => {
    expect(viewParams(viewOf(''))).toEqual({});
    expect(viewParams(viewOf('zone=America/New_York'))).toEqual({});
    const url = 'tab=engagement&from=2024-02-01&to=2024-02-02&grouping=weekly&zone=UTC&as=tables';
    expect(viewParams(viewOf(url))).toEqual(Object.fromEntries(new URLSearchParams(url)));
    expect(viewParams(viewOf(''), { tab: 'searches', grouping: 'monthly' })).toEqual({
      tab: 'searches',
      grouping: 'monthly',
    });
    expect(viewParams(viewOf(''), { from: '2024-02-01', to: '2024-02-02', zone: 'UTC' })).toEqual({
      from: '2024-02-01',
      to: '2024-02-02',
      zone: 'UTC',
    });
  });

  it('names everything for a file', () => {
    expect(fileParams(viewOf(''))).toEqual({
      tab: 'financial',
      from: '2024-12-15',
      to: '2025-01-13',
      grouping: 'daily',
      zone: 'America/New_York',
    });
  });

  it('keeps the days of the page', () => {
    const view = viewOf('from=2024-02-01&to=2024-02-02');
    expect(viewOf(`from=2024-03-01&keep=${keepParam(view)}`).query).toEqual(view.query);
  });

  it('does not make the usual days fixed ones when an end was missing', () => {
    expect(keepParam(viewOf(''))).toBeUndefined();
    const view = viewOf('from=2024-02-01&to=');
    expect(view).toMatchObject({ hint: 'missing-end', daysChosen: false });
    expect(viewParams(view, { tab: 'searches' })).toEqual({ tab: 'searches' });
  });
});
