import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { wholePercents } from './whole-percents.ts';

test.each([
  [
    [9_000_000, 2_193_750, 346_500],
    [78, 19, 3],
  ],
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [995, 4, 1],
    [100, 0, 0],
  ],
  [
    [0, 0, 5],
    [0, 0, 100],
  ],
  [
    [0, 0, 0],
    [0, 0, 0],
  ],
  [
    [-5, 5, 5],
    [0, 50, 50],
  ],
])('%j are %j percent', (parts, percents) => expect(wholePercents(parts)).toEqual(percents));

it('adds up to 100, each within one of its exact share', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 40), { minLength: 1, maxLength: 6 }), (parts) => {
      const sum = parts.reduce((total, part) => total + part, 0);
      const percents = wholePercents(parts);
      expect(percents.reduce((total, percent) => total + percent, 0)).toBe(sum === 0 ? 0 : 100);
      percents.forEach((percent, at) => {
        expect(Number.isInteger(percent)).toBe(true);
        if (sum > 0) expect(Math.abs(percent - ((parts[at] ?? 0) * 100) / sum)).toBeLessThan(1.000001);
      });
    }),
  );
});
