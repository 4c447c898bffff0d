import { expect, it } from 'vitest';
import { DAY } from '#platform/durations.ts';
import { mayPayOut, type PayableSale, payoutHoldUntil } from './payout-hold.ts';

const days = { card: 7, bank: 60, chain: 1 };
const releasedAt = new Date('2026-11-20T12:00:00Z');
const after = (held: number) => new Date(releasedAt.getTime() + held * DAY);
const payable: PayableSale = {
  escrow: 'completed',
  payout: 'pending',
  releasedAt,
  paidWith: 'card',
  frozen: false,
  disputed: false,
  sellerSuspended: false,
};

it.each([
  ['card', 7],
  ['bank', 60],
  ['chain', 1],
  ['transfer', 1],
  [null, 60],
] as const)('a payment by %s is held for %i days after the release', (paidWith, held) => {
  expect(payoutHoldUntil({ releasedAt, paidWith }, days)).toEqual(after(held));
  const sale = { ...payable, paidWith };
  expect(mayPayOut(sale, days, new Date(after(held).getTime() - 1))).toEqual({
    ok: false,
    reason: 'risk_hold',
    until: after(held),
  });
  expect(mayPayOut(sale, days, after(held))).toEqual({ ok: true });
});

it('of an unknown payment the longest hold counts, whichever that is', () => {
  expect(payoutHoldUntil({ releasedAt, paidWith: null }, { card: 9, bank: 0, chain: 3 })).toEqual(after(9));
  expect(payoutHoldUntil({ releasedAt, paidWith: null }, { card: 1, bank: 0, chain: 3 })).toEqual(after(3));
});

it.each([
  [{ escrow: 'in_escrow', payout: null, releasedAt: null }, 'not_released'],
  [{ escrow: 'cancelled', payout: null }, 'not_released'],
  [{ releasedAt: null }, 'not_released'],
  [{ payout: 'processing' }, 'not_open'],
  [{ payout: 'completed' }, 'not_open'],
  [{ payout: null }, 'not_open'],
  [{ frozen: true }, 'frozen'],
  [{ disputed: true }, 'disputed'],
  [{ sellerSuspended: true }, 'suspended'],
] as const)('%j: %s, even when the hold is over', (change, reason) => {
  expect(mayPayOut({ ...payable, ...change }, days, after(100))).toEqual({ ok: false, reason });
  expect(mayPayOut({ ...payable, ...change }, days, releasedAt)).toEqual({ ok: false, reason });
});

it('a payout that failed can be made again', () => {
  expect(mayPayOut({ ...payable, payout: 'failed' }, days, after(7))).toEqual({ ok: true });
});
