import { expect, it } from 'vitest';
import { DAY } from '#platform/durations.ts';
import { payoutHoldUntil } from './payout-hold.ts';

const days = { card: 7, bank: 60, chain: 1 };
const releasedAt = new Date('2026-11-20T12:00:00Z');
const after = (held: number) => new Date(releasedAt.getTime() + held * DAY);

it.each([
  ['card', 7],
  ['bank', 60],
  ['chain', 1],
  ['transfer', 1],
  [null, 60],
] as const)('a payment by %s is held for %i days after the release', (paidWith, held) => {
  expect(payoutHoldUntil({ releasedAt, paidWith }, days)).toEqual(after(held));
});

it('of an unknown payment the longest hold counts, whichever that is', () => {
  expect(payoutHoldUntil({ releasedAt, paidWith: null }, { card: 9, bank: 0, chain: 3 })).toEqual(after(9));
  expect(payoutHoldUntil({ releasedAt, paidWith: null }, { card: 1, bank: 0, chain: 3 })).toEqual(after(3));
});
