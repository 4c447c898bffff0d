import { describe, expect, it } from 'vitest';
import { DEFAULT_ASSUMPTIONS, estimatePayment, readAssumptions, typedAssumptions } from './rules.ts';

const assume = (typed: Partial<typeof DEFAULT_ASSUMPTIONS> = {}) =>
  readAssumptions({ ...DEFAULT_ASSUMPTIONS, ...typed }).assumptions;
const none = { tax: '0', insurance: '0', dues: '0' };

describe('a monthly payment', () => {
  it.each([
    // Known payments of fixed loans, to the cent.
    [300_000_00, '0', '6', '30', 179_865],
    [200_000_00, '0', '4.5', '30', 101_337],
    [100_000_00, '0', '5', '15', 79_079],
    [757_335_00, '20', '6.75', '30', 392_965],
    [100_000_00, '0', '0', '10', 83_333],
    [100_000_00, '100', '6', '30', 0],
    [1, '0', '6', '30', 0],
  ])('for %i cents with %s %% down at %s %% over %s years', (cents, down, rate, years, payment) => {
    expect(estimatePayment(cents, assume({ down, rate, years, ...none })).loanPaymentCents).toBe(payment);
  });

  it('repays the loan: what is left after the last month is less than a cent a month', () => {
    for (const [rate, years] of [
      ['0.125', '50'],
      ['6.75', '30'],
      ['30', '40'],
    ] as const) {
      const { loanCents, loanPaymentCents } = estimatePayment(
        999_999_999_00,
        assume({ down: '0', rate, years, ...none }),
      );
      const monthly = Number(rate) / 1200;
      let owed = loanCents;
      for (let month = 0; month < Number(years) * 12; month += 1)
        owed = owed * (1 + monthly) - loanPaymentCents;
      // Half a cent of rounding a month, with its interest, and the imprecision of this sum.
      const growth = (1 + monthly) ** (Number(years) * 12);
      expect(Math.abs(owed)).toBeLessThan((0.51 * (growth - 1)) / monthly + 1e-9 * loanCents * growth);
    }
  });

  it('adds taxes, insurance and dues, and its parts add up', () => {
    const estimate = estimatePayment(600_000_00, assume({ tax: '1.2', insurance: '0.5', dues: '85.50' }));
    expect(estimate).toMatchObject({
      downCents: 120_000_00,
      loanCents: 480_000_00,
      taxCents: 600_00,
      insuranceCents: 250_00,
      duesCents: 85_50,
    });
    const { monthlyCents, loanPaymentCents, taxCents, insuranceCents, duesCents } = estimate;
    expect(monthlyCents).toBe(loanPaymentCents + taxCents + insuranceCents + duesCents);
    expect(Object.values(estimate).every(Number.isSafeInteger)).toBe(true);
  });
});

describe('typed assumptions', () => {
  it('may have signs and groups, and fall back to the defaults where they are blank', () => {
    expect(assume({ down: '15.5 %', dues: '$1,250.25', rate: '' })).toEqual({
      down: 15_500,
      rate: 6_750,
      years: 30,
      tax: 1_100,
      insurance: 350,
      dues: 125_025,
    });
  });

  it.each([
    ['down', '101'],
    ['down', 'some'],
    ['rate', '-1'],
    ['rate', '31'],
    ['years', '0'],
    ['years', '2.5'],
    ['tax', '1e3'],
    ['insurance', '11'],
    ['dues', '100001'],
  ] as const)('%s of %s is an error of that field', (name, text) => {
    const { errors, assumptions } = readAssumptions({ ...DEFAULT_ASSUMPTIONS, [name]: text });
    expect(Object.keys(errors)).toEqual([name]);
    expect(assumptions).toEqual(assume());
  });

  it('come from the URL', () => {
    expect(typedAssumptions(new URLSearchParams('down=30&rate=&other=1'))).toEqual({
      ...DEFAULT_ASSUMPTIONS,
      down: '30',
      rate: '',
    });
  });
});
