import { expect, it } from 'vitest';
import { partsOf, postingKind } from './facts.ts';

it.each([
  ['an amount and its fee', { amountCents: 100, feeCents: 3 }, ['amount', 'fee']],
  ['a fee alone', { amountCents: 0, feeCents: 3 }, ['fee']],
  ['an amount without a fee', { amountCents: -100, feeCents: 0 }, ['amount']],
  ['nothing', { amountCents: 0, feeCents: 0 }, []],
])('the parts of a booking are those that change the balance: %s', (_, booking, parts) => {
  expect(partsOf(booking)).toEqual(parts);
});

it('a fee is posted as one, whatever it was taken for', () => {
  expect(postingKind({ kind: 'payment' }, 'amount')).toBe('payment');
  expect(postingKind({ kind: 'payment' }, 'fee')).toBe('fee');
});
