import { describe, expect, it } from 'vitest';
import { userWith } from '#tests/support/fixtures/actors.ts';
import { effectiveFromText, percentText } from './display.ts';
import {
  commissionOn,
  commissionVersion,
  mayManageCommission,
  parseCommission,
  utcDay,
  commissionMessages as words,
} from './rules.ts';

const planned = { percent: 20, effectiveFrom: '2024-03-01', next: { percent: 15, from: '2026-12-01' } };

describe('the platform commission', () => {
  it('changes on the planned day, in UTC', () => {
    expect(commissionOn(planned, utcDay(new Date('2026-11-30T23:59:59.999Z')))).toEqual(planned);
    const from = { percent: 15, effectiveFrom: '2026-12-01', next: null };
    expect(commissionOn(planned, utcDay(new Date('2026-12-01T00:00:00Z')))).toEqual(from);
    expect(commissionOn(planned, utcDay(new Date('2027-06-01T00:00:00Z')))).toEqual(from);
  });

  it('is another version when anything of it has changed', () => {
    const versions = [
      planned,
      { ...planned, percent: 21 },
      { ...planned, effectiveFrom: '2024-03-02' },
      { ...planned, next: { ...planned.next, percent: 16 } },
      { ...planned, next: { ...planned.next, from: '2026-12-02' } },
      { ...planned, next: null },
    ].map(commissionVersion);
    expect(new Set(versions).size).toBe(versions.length);
    expect(commissionVersion(structuredClone(planned))).toBe(versions[0]);
  });

  it('is set by administrators', () => {
    const may = (['buyer', 'agent', 'admin'] as const).map((role) => mayManageCommission(userWith(role)));
    expect(may).toEqual([false, false, true]);
  });

  it('is shown with the decimals that it has', () => {
    expect([20, 12.5, 0.125].map(percentText)).toEqual(['20.0%', '12.5%', '0.125%']);
    expect(effectiveFromText(planned)).toBe('Mar 1, 2024');
    expect(effectiveFromText({ ...planned, effectiveFrom: null })).toBe('The start');
  });
});

describe('a typed commission', () => {
  const parse = (typed: Partial<Parameters<typeof parseCommission>[0]>) =>
    parseCommission({ percent: '20', when: 'now', day: '', ...typed }, '2026-11-23');

  it('holds at once or from a later day', () => {
    expect(parse({ percent: ' 12.125% ' })).toEqual({ ok: true, percent: 12.125, from: null });
    expect(parse({ when: 'day', day: '2026-11-24' })).toEqual({ ok: true, percent: 20, from: '2026-11-24' });
    for (const day of ['2028-02-29', '2031-11-23'])
      expect(parse({ when: 'day', day })).toMatchObject({ from: day });
    // A day is ignored where none is asked for.
    expect(parse({ day: 'never' })).toMatchObject({ ok: true, from: null });
  });

  it.each([
    [{ percent: '' }, { percent: words.percentMissing }],
    [{ percent: '100.001' }, { percent: words.percentWrong }],
    [{ percent: '2%0' }, { percent: words.percentWrong }],
    [{ percent: '-1' }, { percent: words.percentWrong }],
    [{ percent: '20.0001' }, { percent: words.percentWrong }],
    [{ when: 'day' }, { day: words.dayMissing }],
    [{ when: 'day', day: '2026-02-30' }, { day: words.dayMissing }],
    [{ when: 'day', day: '2026-11-23' }, { day: words.dayPast }],
    [{ when: 'day', day: '2031-11-24' }, { day: words.dayFar }],
  ])('refuses %j', (typed, errors) => {
    expect(parse(typed)).toEqual({ ok: false, errors });
  });
});
