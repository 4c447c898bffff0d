import { describe, expect, it } from 'vitest';
import { readIntents } from './intents.ts';

const types = ['Vacant Lot', 'Single Family', 'Multi-Family', 'Commercial', 'Condo/Co-op'].map(
  (name, at) => ({
    id: at + 1,
    name,
    slug: name.toLowerCase(),
    oldSlugs: [],
  }),
);
const read = (text: string) => {
  const { words, asked, understood } = readIntents(text, types);
  const { type, ...rest } = asked;
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return { words, ...set, ...(type && { type: type.name }), labels: understood.map(({ label }) => label) };
};

describe('what a search asks for', () => {
  it.each<[string, object]>([
    ['3 bed', { words: '', minBeds: 3, labels: ['3+ beds'] }],
    ['3br 2ba', { words: '', minBeds: 3, minBaths: 2, labels: ['3+ beds', '2+ baths'] }],
    ['three bedroom house in Boise', { words: 'Boise', minBeds: 3, labels: ['3+ beds'] }],
    [
      '4+ bedrooms, 2.5 baths Austin',
      { words: 'Austin', minBeds: 4, minBaths: 2, labels: ['4+ beds', '2+ baths'] },
    ],
    ['at least 3 bedrooms', { words: '', minBeds: 3, labels: ['3+ beds'] }],
    ['3-bedroom', { words: '', minBeds: 3, labels: ['3+ beds'] }],
    ['under 500k', { words: '', maxCents: 50_000_000, labels: ['Up to $500,000'] }],
    ['Boise under $1.2m', { words: 'Boise', maxCents: 120_000_000, labels: ['Up to $1,200,000'] }],
    ['below 450,000', { words: '', maxCents: 45_000_000, labels: ['Up to $450,000'] }],
    ['over 300k', { words: '', minCents: 30_000_000, labels: ['From $300,000'] }],
    ['500k+ reno', { words: 'reno', minCents: 50_000_000, labels: ['From $500,000'] }],
    [
      '400k-600k',
      { words: '', minCents: 40_000_000, maxCents: 60_000_000, labels: ['$400,000 to $600,000'] },
    ],
    ['400-600k', { words: '', minCents: 40_000_000, maxCents: 60_000_000, labels: ['$400,000 to $600,000'] }],
    [
      'between $400,000 and $600,000',
      { words: '', minCents: 40_000_000, maxCents: 60_000_000, labels: ['$400,000 to $600,000'] },
    ],
    ['homes for sale in Salt Lake City', { words: 'Salt Lake City', labels: [] }],
    ['houses near Boise', { words: 'Boise', labels: [] }],
    ['Boise homes for sale', { words: 'Boise', labels: [] }],
    ['condo', { words: '', type: 'Condo/Co-op', labels: ['Condo/Co-op'] }],
    ['land in Texas', { words: 'Texas', type: 'Vacant Lot', labels: ['Vacant Lot'] }],
    [
      'duplex under 400k',
      { words: '', type: 'Multi-Family', maxCents: 40_000_000, labels: ['Multi-Family', 'Up to $400,000'] },
    ],
    ['cheapest homes in Reno', { words: 'Reno', sort: 'price-up', labels: ['Cheapest first'] }],
    ['3 bed with pool', { words: 'pool', minBeds: 3, labels: ['3+ beds'] }],
    ['boston with a pool', { words: 'boston pool', labels: [] }],
    ['waterfront Boise', { words: 'waterfront Boise', labels: [] }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    '3 Bedford Ave',
    '12 Commercial St',
    '9400-9408 Appleton Rd',
    '10000-10008 Main St',
    '100 Under Mountain Rd',
    '400 Land Ave',
    'at least 2,000 sqft',
    'over 10,000 square feet',
    'New York',
    '%',
    '',
  ])('leaves %s as it is', (text) => {
    expect(read(text)).toEqual({ words: text, labels: [] });
  });

  it('says what is left without each part', () => {
    expect(readIntents('3 bed under 500k in Boise', types).understood).toEqual([
      { label: '3+ beds', without: 'under 500k in Boise' },
      { label: 'Up to $500,000', without: '3 bed in Boise' },
    ]);
  });

  it('is fast on anything', () => {
    for (const text of [
      '1'.repeat(200),
      '1,111'.repeat(40),
      '$ '.repeat(100),
      '3 bed '.repeat(33),
      'a1-'.repeat(66),
    ]) {
      const began = performance.now();
      readIntents(text, types);
      expect(performance.now() - began).toBeLessThan(50);
    }
  });
});
