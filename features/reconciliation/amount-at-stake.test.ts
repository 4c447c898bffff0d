import { expect, it } from 'vitest';
import { amountAtStake } from './amount-at-stake.ts';
import type { Difference } from './difference.ts';

const difference: Difference = {
  accountId: 'a',
  transaction: null,
  parts: [],
  postingIds: [],
  cents: -700,
  feeCents: 0,
  foreign: false,
  foreignCents: 0,
  suspended: false,
};

it('is the difference, whichever way, and in a foreign currency that of the currency', () => {
  expect(amountAtStake(difference)).toBe(700);
  expect(amountAtStake({ ...difference, cents: 700 })).toBe(700);
  const foreign = { ...difference, cents: 0, foreign: true };
  expect(amountAtStake({ ...foreign, foreignCents: -900 })).toBe(900);
});
