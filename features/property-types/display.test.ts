import { expect, it } from 'vitest';
import { affectsText, deactivationText } from './display.ts';
import type { TypeUse } from './model.ts';

const use = (count: number, more = false): TypeUse => ({
  total: { count, more },
  byStatus: count ? [{ status: 'Active', count, more }] : [],
});

it('says how many properties a type affects', () => {
  expect(affectsText(use(0))).toBe('Affects 0 properties');
  expect(affectsText(use(1))).toBe('Affects 1 property: 1 Active');
  expect(affectsText(use(10_000, true))).toBe('Affects 10,000+ properties: 10,000+ Active');
});

it('says how many listings keep a type that is switched off', () => {
  expect(deactivationText(use(0))).toContain('No property has this type.');
  expect(deactivationText(use(1))).toContain('1 property keeps this type.');
  expect(deactivationText(use(312))).toContain('312 properties keep this type.');
});
