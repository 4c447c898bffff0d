import { threadCpuUsage } from 'node:process';
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
  const set = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== null)),
  );
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
    ['least expensive in Reno', { words: 'Reno', sort: 'price-up', labels: ['Cheapest first'] }],
    ['lowest price Reno', { words: 'Reno', sort: 'price-up', labels: ['Cheapest first'] }],
    ['Reno, lowest priced first', { words: 'Reno', sort: 'price-up', labels: ['Cheapest first'] }],
    ['Reno price low to high', { words: 'Reno', sort: 'price-up', labels: ['Cheapest first'] }],
    ['most expensive', { words: '', sort: 'price-down', labels: ['Most expensive first'] }],
    ['priciest homes in Reno', { words: 'Reno', sort: 'price-down', labels: ['Most expensive first'] }],
    ['highest-priced Reno', { words: 'Reno', sort: 'price-down', labels: ['Most expensive first'] }],
    ['prices high to low', { words: '', sort: 'price-down', labels: ['Most expensive first'] }],
    ['largest', { words: '', sort: 'largest', labels: ['Largest first'] }],
    ['biggest houses near Reno', { words: 'Reno', sort: 'largest', labels: ['Largest first'] }],
    ['Reno largest first', { words: 'Reno', sort: 'largest', labels: ['Largest first'] }],
    ['newest', { words: '', sort: 'newest', labels: ['Newest first'] }],
    ['newest listings in Reno', { words: 'Reno', sort: 'newest', labels: ['Newest first'] }],
    ['latest homes Reno', { words: 'Reno', sort: 'newest', labels: ['Newest first'] }],
    ['most recent in Reno', { words: 'Reno', sort: 'newest', labels: ['Newest first'] }],
    ['just listed Reno', { words: 'Reno', sort: 'newest', labels: ['Newest first'] }],
    ['newly listed', { words: '', sort: 'newest', labels: ['Newest first'] }],
    ['recently listed in Reno', { words: 'Reno', sort: 'newest', labels: ['Newest first'] }],
    ['new listings Reno', { words: 'Reno', sort: 'newest', labels: ['Newest first'] }],
    ['new', { words: '', sort: 'newest', labels: ['Newest first'] }],
    ['Boise, new', { words: 'Boise', sort: 'newest', labels: ['Newest first'] }],
    ['new in Boise', { words: 'Boise', sort: 'newest', labels: ['Newest first'] }],
    ['new homes in Boise', { words: 'Boise', sort: 'newest', labels: ['Newest first'] }],
    ['new houses for sale in New Haven', { words: 'New Haven', sort: 'newest', labels: ['Newest first'] }],
    ['new on the market', { words: '', sort: 'newest', labels: ['Newest first'] }],
    ['Boise new to market', { words: 'Boise', sort: 'newest', labels: ['Newest first'] }],
    ['what’s new near Boise', { words: 'Boise', sort: 'newest', labels: ['Newest first'] }],
    [
      'new 3 bedroom homes in New York',
      { words: 'New York', sort: 'newest', minBeds: 3, labels: ['Newest first', '3+ beds'] },
    ],
    [
      'new under 500k',
      { words: '', sort: 'newest', maxCents: 50_000_000, labels: ['Newest first', 'Up to $500,000'] },
    ],
    [
      'new condos Boise',
      { words: 'Boise', sort: 'newest', type: 'Condo/Co-op', labels: ['Newest first', 'Condo/Co-op'] },
    ],
    [
      'new construction in New Castle',
      { words: 'New Castle', amenities: ['new-construction'], labels: ['New construction'] },
    ],
    [
      'brand new homes in Boise',
      { words: 'Boise', amenities: ['new-construction'], labels: ['New construction'] },
    ],
    ['new pool Boise', { words: 'new Boise', amenities: ['pool'], labels: ['Pool'] }],
    ['3 bed with pool', { words: '', minBeds: 3, amenities: ['pool'], labels: ['3+ beds', 'Pool'] }],
    ['boston with a pool', { words: 'boston', amenities: ['pool'], labels: ['Pool'] }],
    ['waterfront Boise', { words: 'Boise', amenities: ['waterfront'], labels: ['Waterfront'] }],
    [
      'lakefront with garage and garden',
      {
        words: '',
        amenities: ['waterfront', 'garage', 'garden'],
        labels: ['Waterfront', 'Garage', 'Garden'],
      },
    ],
    ['at least 2,000 sqft', { words: '', minSqft: 2_000, labels: ['2,000+ sqft'] }],
    ['Boise over 10,000 square feet', { words: 'Boise', minSqft: 10_000, labels: ['10,000+ sqft'] }],
    ['2 acres St. Paul MN', { words: 'St. Paul MN', minLotSqft: 87_120, labels: ['2+ acres'] }],
    ['Eastdale IN max 730000', { words: 'Eastdale IN', maxCents: 73_000_000, labels: ['Up to $730,000'] }],
    [
      '2br 3ba Southdale IN',
      { words: 'Southdale IN', minBeds: 2, minBaths: 3, labels: ['2+ beds', '3+ baths'] },
    ],
    ['pool St Louis', { words: 'St Louis', amenities: ['pool'], labels: ['Pool'] }],
    ['land in St. Paul', { words: 'St. Paul', type: 'Vacant Lot', labels: ['Vacant Lot'] }],
    ['2000 sq ft', { words: '', minSqft: 2_000, labels: ['2,000+ sqft'] }],
    ['2000+ sf', { words: '', minSqft: 2_000, labels: ['2,000+ sqft'] }],
    ['under 1500 sq. ft.', { words: '', maxSqft: 1_500, labels: ['Up to 1,500 sqft'] }],
    ['1500-2500 sq ft', { words: '', minSqft: 1_500, maxSqft: 2_500, labels: ['1,500 to 2,500 sqft'] }],
    ['10,000 sqft lot', { words: '', minLotSqft: 10_000, labels: ['10,000+ sqft lot'] }],
    ['5 acres in Texas', { words: 'Texas', minLotSqft: 217_800, labels: ['5+ acres'] }],
    ['at least 2.5 acre lot', { words: '', minLotSqft: 108_900, labels: ['2.5+ acres'] }],
    ['2 to 5 acres', { words: '', minLotSqft: 87_120, maxLotSqft: 217_800, labels: ['2 to 5 acres'] }],
    ['half acre lots', { words: '', minLotSqft: 21_780, labels: ['0.5+ acres'] }],
    ['less than half an acre', { words: '', maxLotSqft: 21_780, labels: ['Up to 0.5 acres'] }],
    ['under 1/2 acre Reno', { words: 'Reno', maxLotSqft: 21_780, labels: ['Up to 0.5 acres'] }],
    ['up to an acre', { words: '', maxLotSqft: 43_560, labels: ['Up to 1 acre'] }],
    ['3/4 acre', { words: '', minLotSqft: 32_670, labels: ['0.75+ acres'] }],
    ['at least 1 1/2 acres', { words: '', minLotSqft: 65_340, labels: ['1.5+ acres'] }],
    ['quarter acre in Reno', { words: 'Reno', minLotSqft: 10_890, labels: ['0.25+ acres'] }],
    ['2-3 beds', { words: '', minBeds: 2, labels: ['2+ beds'] }],
    ['2 or 3 bedroom homes in Reno', { words: 'Reno', minBeds: 2, labels: ['2+ beds'] }],
    ['between two and four baths', { words: '', minBaths: 2, labels: ['2+ baths'] }],
    [
      '2 bed max 300k',
      { words: '', minBeds: 2, maxCents: 30_000_000, labels: ['2+ beds', 'Up to $300,000'] },
    ],
    ['no condos under 400k', { words: 'no condos', maxCents: 40_000_000, labels: ['Up to $400,000'] }],
    ['built after 2000', { words: '', minYear: 2001, labels: ['Built 2001 or later'] }],
    ['boise built before 1950', { words: 'boise', maxYear: 1949, labels: ['Built 1949 or earlier'] }],
    ['built since 2010', { words: '', minYear: 2010, labels: ['Built 2010 or later'] }],
    ['built in 1962', { words: '', minYear: 1962, maxYear: 1962, labels: ['Built in 1962'] }],
    ['built in the 1990s', { words: '', minYear: 1990, maxYear: 1999, labels: ['Built 1990 to 1999'] }],
    [
      'built between 1990 and 2005',
      { words: '', minYear: 1990, maxYear: 2005, labels: ['Built 1990 to 2005'] },
    ],
    [
      '3 bed 2,000 sqft under 500k built after 1999 with pool in Reno',
      {
        words: 'Reno',
        minBeds: 3,
        minSqft: 2_000,
        maxCents: 50_000_000,
        minYear: 2000,
        amenities: ['pool'],
        labels: ['3+ beds', '2,000+ sqft', 'Up to $500,000', 'Built 2000 or later', 'Pool'],
      },
    ],
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
    '12 Pool St',
    'Waterfront Dr',
    'no pool',
    'no condos',
    'max 3 beds',
    'up to 3 bedrooms',
    '3 beds or less',
    'at most two baths',
    '12 Half Acre Rd',
    'Garden Grove',
    'Bayview',
    'Bay View',
    '431 East Garage Washington',
    'Mountain View',
    '2000 Acres Rd',
    'without a garage',
    'New York',
    'New York, NY',
    'New Haven',
    'New Castle',
    'New Castle Delaware',
    'New Mexico',
    'New Orleans LA',
    'New Market',
    'New St',
    'New Street',
    '12 New St',
    '12 N New',
    'New House Rd',
    'New Home Ave, Reno',
    'Newest Ln',
    'Newport',
    'newly renovated',
    'like new',
    'new roof',
    'new kitchen and windows',
    '7 Largest Oak Ct',
    'Highland',
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
      // CPU time of this thread rather than wall-clock time, so that a busy machine makes no difference.
      const before = threadCpuUsage();
      readIntents(text, types);
      const { user, system } = threadCpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(50);
    }
  });
});
