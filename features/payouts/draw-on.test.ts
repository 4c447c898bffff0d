import { expect, it } from 'vitest';
import { drawOn, leftOf } from './draw-on.ts';

const payments = [
  { paymentRef: 'first', amountCents: 600 },
  { paymentRef: 'second', amountCents: 400 },
];

it.each([
  [0, [600, 400]],
  [250, [350, 400]],
  [600, [400]],
  [800, [200]],
  [1_000, []],
  [1_500, []],
])('after %i cents were drawn on the payments, the oldest first, %j is left', (drawn, left) => {
  expect(leftOf(payments, drawn).map(({ amountCents }) => amountCents)).toEqual(left);
});

it.each([
  [0, []],
  [250, [250]],
  [700, [600, 100]],
  [2_000, [600, 400]],
])('a payout of %i cents draws %j on its sources', (cents, drawn) => {
  expect(drawOn(payments, cents).map(({ amountCents }) => amountCents)).toEqual(drawn);
});
