import { expect, it } from 'vitest';
import { changePercent, changeText } from './change.ts';
import { wholePercents } from './whole-percents.ts';

it.each([
  [112.5, 100, '+12.5%'],
  [97, 100, '−3%'],
  [-50, -100, '+50%'],
  [2_000_000, 1, '+199,999,900%'],
  [100.01, 100, 'no change'],
  [0, 0, 'no change'],
  [5, 0, null],
  [5, null, null],
  [null, 5, null],
])('%j after %j is %j', (value, before, text) => {
  expect(changeText(value, before)).toBe(text);
});

it('a change is in percent with one decimal', () => {
  expect(changePercent(2, 3)).toBe(-33.3);
});

it.each([
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [9_000_000_00, 2_193_750_00, 346_500_00],
    [78, 19, 3],
  ],
  [
    [0, 0],
    [0, 0],
  ],
  [
    [-5, 5],
    [0, 100],
  ],
  [[7], [100]],
])('the shares of %j add up to 100: %j', (parts, percents) => {
  expect(wholePercents(parts)).toEqual(percents);
});
