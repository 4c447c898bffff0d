import { expect, it } from 'vitest';
import { axisValues, shownLabels } from './scale.ts';

it.each([
  [
    [0, 1_420_000_00],
    [0, 500_000_00, 1_000_000_00, 1_500_000_00],
  ],
  [
    [3, 10],
    [0, 5, 10],
  ],
  [
    [0, 3],
    [0, 1, 2, 3],
  ],
  [
    [-250, 900],
    [-500, 0, 500, 1000],
  ],
  [[-40], [-40, -30, -20, -10, 0]],
  [[0], [0, 1, 2, 3, 4]],
  [[], [0, 1, 2, 3, 4]],
])('the axis of %j has round values around all of them and zero', (values, expected) => {
  expect(axisValues(values)).toEqual(expected);
});

it('labels are left out evenly when they do not fit', () => {
  expect(shownLabels(5, 9)).toEqual([0, 1, 2, 3, 4]);
  expect(shownLabels(30, 9)).toEqual([0, 4, 8, 12, 16, 20, 24, 28]);
  expect(shownLabels(3, 0)).toEqual([0]);
});
