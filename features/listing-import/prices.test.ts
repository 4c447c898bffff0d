import { describe, expect, it } from 'vitest';
import { parsePrice } from './prices.ts';

const NBSP = '\u00a0';

describe('prices in every usual notation', () => {
  it.each<[string, number]>([
    ['950000', 950_000],
    ['950000.5', 950_000.5],
    ['1,250,000', 1_250_000],
    ['$950,000.50', 950_000.5],
    ['$ 950,000', 950_000],
    ['US$950,000', 950_000],
    ['USD 500k', 500_000],
    ['500k', 500_000],
    ['500 K', 500_000],
    ['$1.2M', 1_200_000],
    ['1,2M', 1_200_000],
    ['1.25mm', 1_250_000],
    ['1.5 million', 1_500_000],
    ['1.200.000,00', 1_200_000],
    ['1.200.000', 1_200_000],
    ['1 200 000', 1_200_000],
    [`1${NBSP}200${NBSP}000,50`, 1_200_000.5],
    ["1'200'000", 1_200_000],
    ['1E+06', 1_000_000],
    ['1.25e6', 1_250_000],
    ['9.5E5', 950_000],
    ['950,000 USD', 950_000],
    ['950000 dollars', 950_000],
    ['950000.00', 950_000],
    ['950000.000', 950_000],
    ['$500,000+', 500_000],
    ['From $450,000', 450_000],
    ['950,50', 950.5],
    ['1', 1],
    ['.5', 0.5],
  ])('%s', (cell, dollars) => {
    expect(parsePrice(cell)).toEqual({ value: { cents: Math.round(dollars * 100), note: null } });
  });

  it.each<[string, number, string]>([
    ['950000.505', 95_000_051, 'rounded to the cent'],
    ['950.000', 95_000_000, 'a dot before three digits groups thousands'],
  ])('%s, with a note', (cell, cents, note) => expect(parsePrice(cell)).toEqual({ value: { cents, note } }));

  it('blank', () => expect(parsePrice('  ')).toEqual({ blank: true }));

  it.each<[string, string]>([
    ['0', 'Price must be greater than 0.'],
    ['$0.00', 'Price must be greater than 0.'],
    ['-5', 'Price must be greater than 0.'],
    ['(500,000)', 'Price must be greater than 0.'],
    ['0.001', 'Price must be greater than 0.'],
    ['call us', 'Price is not a number.'],
    ['12,34,56', 'Price is not a number.'],
    ['1.2.3', 'Price is not a number.'],
    ['k', 'Price is not a number.'],
    ['=1+1', 'Price is not a number.'],
    ['€500,000', 'Price must be in US dollars.'],
    ['500000 CAD', 'Price must be in US dollars.'],
    ['$400k-$500k', 'Price is a range, not one price.'],
    ['400000 to 500000', 'Price is a range, not one price.'],
    ['1000000000', 'Price must be at most $999,999,999.99.'],
    ['1e99', 'Price must be at most $999,999,999.99.'],
  ])('%s: %s', (cell, wrong) => expect(parsePrice(cell)).toEqual({ wrong }));
});
