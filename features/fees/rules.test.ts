import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundingVectors } from '#tests/support/fixtures/fee-vectors.ts';
import type { Fee } from './model.ts';
import {
  baseBounds,
  feeCents,
  inWholeDollars,
  largestBaseWithin,
  pricesIncludeText,
  priceWithFees,
  totalCents,
  totalIncludesText,
} from './rules.ts';

const percentage = (name: string, percent: number): Fee => ({ id: name, name, percent, fixedCents: null });
const fixed = (name: string, fixedCents: number): Fee => ({ id: name, name, percent: null, fixedCents });
const exampleFees = [
  percentage('Buyer Protection', 1.5),
  percentage('Title & Escrow', 0.5),
  fixed('Closing Coordination', 49_500),
];

describe('fees', () => {
  it.each(roundingVectors)('takes %i cents × %f %% as %i cents', (base, percent, expected) => {
    expect(feeCents(base, percentage('F', percent))).toBe(expected);
  });
  it('adds up the price of an example property', () => {
    expect(priceWithFees(1_248_000_00, exampleFees)).toEqual({
      baseCents: 1_248_000_00,
      lines: [
        { name: 'Buyer Protection', label: 'Buyer Protection (1.5%)', cents: 18_720_00 },
        { name: 'Title & Escrow', label: 'Title & Escrow (0.5%)', cents: 6_240_00 },
        { name: 'Closing Coordination', label: 'Closing Coordination', cents: 495_00 },
      ],
      totalCents: 1_273_455_00,
    });
  });
  it('names none, one, two or more fees', () => {
    expect(pricesIncludeText([])).toBeNull();
    expect(totalIncludesText([])).toBeNull();
    expect(totalIncludesText(exampleFees.slice(0, 1))).toBe('Total price includes Buyer Protection (1.5%).');
    expect(totalIncludesText(exampleFees.slice(0, 2))).toBe(
      'Total price includes Buyer Protection (1.5%) and Title & Escrow (0.5%).',
    );
    expect(totalIncludesText(exampleFees)).toBe(
      'Total price includes Buyer Protection (1.5%), Title & Escrow (0.5%) and Closing Coordination.',
    );
    expect(pricesIncludeText(exampleFees)).toBe(
      'Prices include all applicable fees: Buyer Protection (1.5%), Title & Escrow (0.5%) and Closing Coordination',
    );
  });
  it('turns a bound on the total into the tightest bound on the base', () => {
    for (const total of [0, 49_499, 49_500, 49_501, 500_000_00, 1_273_455_00, 99_999_999_999]) {
      const base = largestBaseWithin(total, exampleFees);
      if (base >= 0) expect(totalCents(base, exampleFees)).toBeLessThanOrEqual(total);
      expect(totalCents(base + 1, exampleFees)).toBeGreaterThan(total);
    }
    expect(largestBaseWithin(10, exampleFees)).toBe(-1);
  });

  it('charges nothing for a fixed fee without an amount', () => {
    expect(feeCents(100_00, { ...fixed('F', 0), fixedCents: null })).toBe(0);
  });

  it('turns the bounds of a total into those of the base price, to the cent', () => {
    const { atLeast, atMost } = baseBounds(exampleFees);
    for (const total of [50_000_00, 123_456_78, 1_000_000_00]) {
      expect(totalCents(atMost(total), exampleFees)).toBeLessThanOrEqual(total);
      expect(totalCents(atMost(total) + 1, exampleFees)).toBeGreaterThan(total);
      expect(totalCents(atLeast(total), exampleFees)).toBeGreaterThanOrEqual(total);
      expect(totalCents(atLeast(total) - 1, exampleFees)).toBeLessThan(total);
    }
    expect([atLeast(0), atLeast(1), atMost(49_499), atMost(49_500)]).toEqual([0, 0, -1, 0]);
  });

  it('rounds the lines of a price so that they add up to the total', () => {
    const shown = inWholeDollars(priceWithFees(189_500_00, exampleFees));
    expect(shown).toMatchObject({ baseCents: 189_500_00, totalCents: 193_785_00 });
    expect(shown.lines.map(({ cents }) => cents)).toEqual([2_843_00, 947_00, 495_00]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000_00 }),
        fc.array(fc.integer({ min: 0, max: 1_000_00 }), { maxLength: 6 }),
        (base, fees) => {
          const price = priceWithFees(
            base,
            fees.map((cents, at) => fixed(`F${at}`, cents)),
          );
          const whole = inWholeDollars(price);
          const sum = whole.lines.reduce((total, { cents }) => total + cents, whole.baseCents);
          expect(sum).toBe(whole.totalCents);
          expect(whole.totalCents).toBe(Math.round(price.totalCents / 100) * 100);
          for (const [at, line] of whole.lines.entries())
            expect(Math.abs(line.cents - (price.lines[at]?.cents ?? 0))).toBeLessThan(100);
        },
      ),
    );
  });
});
