import { expect, it } from 'vitest';
import { decisionMessages } from '#features/listing-review/rules.ts';
import { runMessages } from '#features/payout-runs/rules.ts';

it.each([
  [1, '1'],
  [2, '2'],
  [1_200, '1,200'],
])('a fixed text with a number keeps its words: %d', (n, digits) => {
  expect(decisionMessages.approved(n)).toBe(`${digits} properties approved successfully`);
  expect(runMessages.processed(n).title).toBe(`${digits} Payouts Processed`);
  expect(runMessages.refused(n).title).toBe(`${digits} Payouts Failed`);
});
