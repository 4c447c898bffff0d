import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coinbaseAmount, exactCents, roundedCents, wholeCents } from './amount.ts';
import { idempotencyUuid } from './client.ts';

describe("Coinbase's amounts", () => {
  test('every number of cents survives the round trip', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000_000_000 }), (cents) => {
        const text = coinbaseAmount(cents);
        expect(text).toMatch(/^\d+\.\d\d$/);
        expect(exactCents(text)).toBe(cents);
        expect(roundedCents(text)).toBe(cents);
      }),
    );
  });

  test.each([
    ['0.000000', 0],
    ['12.349999', 1_234],
    ['-12.349999', -1_234],
    ['7', 700],
    ['90071992547409.92', null],
    ['1e3', null],
    ['', null],
  ])('of the balance %s, %s cents are whole', (text, cents) => {
    expect(wholeCents(text)).toBe(cents);
  });

  test.each([
    ['0.01', 1, 1],
    ['100', 10_000, 10_000],
    ['100.5', 10_050, 10_050],
    ['100.500000', 10_050, 10_050],
    ['1.255', null, 126],
    ['1.254999', null, 125],
    ['90071992547409.91', 9_007_199_254_740_991, 9_007_199_254_740_991],
    ['90071992547409.92', null, null],
    ['-1.00', null, null],
    ['1e3', null, null],
    ['1,000.00', null, null],
    ['.5', null, null],
    ['', null, null],
  ])('%s is %s cents exactly, %s rounded', (text, exact, rounded) => {
    expect(exactCents(text)).toBe(exact);
    expect(roundedCents(text)).toBe(rounded);
  });
});

test('a key always maps to the same version 4 UUID, different keys to different ones', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(idempotencyUuid(one)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(idempotencyUuid(one) === idempotencyUuid(other)).toBe(one === other);
    }),
  );
});
