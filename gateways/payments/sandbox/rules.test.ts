import { expect, it } from 'vitest';
import { feeOf, type PaidBy, sandboxWebhookSecret } from './rules.ts';

it.each([
  ['card', 50, 31],
  ['card', 10_000, 320],
  ['card', 10_017, 320],
  ['card', 10_018, 321],
  ['card', 99_999_999, 2_900_030],
  ['bank', 50, 0],
  ['bank', 63, 1],
  ['bank', 62_499, 500],
  ['bank', 62_438, 500],
  ['bank', 62_437, 499],
  ['bank', 99_999_999, 500],
  ['transfer', 99, 0],
  ['transfer', 100, 1],
  ['transfer', 99_899, 499],
  ['transfer', 99_900, 500],
  ['transfer', 99_999_999, 500],
  ['chain', 1, 0],
  ['chain', 39, 0],
  ['chain', 40, 1],
  ['chain', 10_000, 125],
  ['chain', 10_000_000_000, 125_000_000],
] satisfies [PaidBy, number, number][])('fee for a %s payment of %i cents: %i', (paidBy, amount, fee) => {
  expect(feeOf(paidBy, amount)).toBe(fee);
});

it('derives a separate webhook secret per payment method from the application secret', () => {
  const secret = 'a secret for tests that is long enough';
  const made = [
    sandboxWebhookSecret(secret, 'card'),
    sandboxWebhookSecret(secret, 'crypto'),
    sandboxWebhookSecret('other', 'card'),
  ];
  expect(new Set(made).size).toBe(3);
  for (const each of made) expect(each).toMatch(/^whsec_[0-9a-f]{64}$/);
});
