import { describe, expect, it } from 'vitest';
import { visitor } from '#platform/context.ts';
import { planPaymentMethods, purchaseRefusal } from './rules.ts';

const CAP = 999_999_99;
const card = { minCents: 50, maxCents: CAP };
const transfers = { minCents: 50, maxCents: 100 * CAP, trancheCents: CAP };
const crypto = { minCents: 1, maxCents: 100_000_000_00 };
const cardPlan = (totalCents: number, limits: Parameters<typeof planPaymentMethods>[1]) =>
  planPaymentMethods(totalCents, limits).find(({ method }) => method === 'card');

describe('which payment methods carry a total', () => {
  it('in one piece up to the limit', () => {
    expect(planPaymentMethods(CAP, { card, crypto })).toEqual([
      { method: 'card', reason: null, hint: null },
      { method: 'crypto', reason: null, hint: null },
    ]);
  });

  it.each([
    [CAP + 1, 2],
    [2 * CAP, 2],
    [2 * CAP + 1, 3],
    [2_400_000_00, 3],
  ])('%i cents by bank transfer in %i parts', (totalCents, parts) => {
    expect(cardPlan(totalCents, { card: transfers, crypto })).toEqual({
      method: 'card',
      reason: null,
      hint: `By bank transfer, in ${parts} parts of at most $999,999.99. The first is due within 24 hours, the rest within 7 days after it.`,
    });
  });

  it('by card alone above what may come from a bank account', () => {
    const limited = { ...card, bankDebitMaxCents: 6_000_00 };
    const hint = 'By card. Payments from a bank account are limited to $6,000.00.';
    expect(cardPlan(6_000_01, { card: limited, crypto })).toEqual({ method: 'card', reason: null, hint });
    expect(cardPlan(CAP, { card: limited, crypto })?.hint).toBe(hint);
    expect(cardPlan(6_000_00, { card: limited, crypto })?.hint).toBe(null);
    expect(cardPlan(CAP + 1, { card: limited, crypto })?.hint).toBe(null);
    expect(cardPlan(CAP + 1, { card: transfers, crypto })?.hint).toMatch(/^By bank transfer, in 2 parts/);
  });

  it('by card alone where nothing may come from a bank account', () => {
    const hint = 'By card. Payments from a bank account are not available here.';
    const cardAlone = { ...card, bankDebitMaxCents: 0 };
    expect(cardPlan(100_00, { card: cardAlone, crypto })).toEqual({ method: 'card', reason: null, hint });
  });

  it('beyond the limit, without bank transfers: not, with what can', () => {
    expect(cardPlan(CAP + 1, { card, crypto })?.reason).toBe(
      'Card and bank payments are limited to $999,999.99. Please use Pay with Crypto.',
    );
    expect(cardPlan(CAP + 1, { card, crypto: null })?.reason).toContain(
      'wire transfer through a title company',
    );
    expect(cardPlan(CAP + 1, { card: null, crypto })?.reason).toContain('not available here');
    expect(cardPlan(49, { card, crypto })?.reason).toContain('start at $0.50');
  });
});

it('a visitor is asked to sign in before anything is said about the listing', () => {
  const listing = { status: 'Sold', seller: { id: 'a-seller', suspended: true } } as const;
  expect(purchaseRefusal(visitor, listing)).toBe('signed_out');
});
