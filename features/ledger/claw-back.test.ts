import { expect, it } from 'vitest';
import { netPayout } from './claw-back.ts';

it('what a seller owes is netted from a payout, oldest first and never below zero', () => {
  const owed = [
    { saleId: 'first', cents: 30 },
    { saleId: 'second', cents: 50 },
  ];
  expect(netPayout(100, owed)).toEqual({ payCents: 20, netted: owed });
  expect(netPayout(40, owed)).toEqual({
    payCents: 0,
    netted: [
      { saleId: 'first', cents: 30 },
      { saleId: 'second', cents: 10 },
    ],
  });
  expect(netPayout(100, [])).toEqual({ payCents: 100, netted: [] });
  expect(netPayout(0, owed)).toEqual({ payCents: 0, netted: [] });
});
