import { describe, expect, it } from 'vitest';
import {
  formatRectangle,
  formatTotal,
  MAX_TEXT_LENGTH,
  parseRectangle,
  type SearchableType,
} from './model.ts';
import { findType, parseCriteria } from './rules.ts';

const types: SearchableType[] = [
  { id: 1, name: 'Vacant Lot', slug: 'vacant-lot', oldSlugs: ['land'] },
  { id: 2, name: 'Single Family', slug: 'single-family', oldSlugs: [] },
  { id: 3, name: 'Land', slug: 'acreage', oldSlugs: [] },
];
const parse = (query: string) => parseCriteria(new URLSearchParams(query), types);
const everything = parse('');

describe('parsing criteria from a URL', () => {
  it('defaults to everything, newest first', () => {
    expect(everything).toEqual({
      text: '',
      typeId: null,
      minCents: null,
      maxCents: null,
      minBeds: null,
      minBaths: null,
      minSqft: null,
      maxSqft: null,
      minLotSqft: null,
      maxLotSqft: null,
      minYear: null,
      maxYear: null,
      amenities: [],
      keywords: '',
      sort: 'newest',
      page: 1,
      after: null,
      bbox: null,
      area: null,
    });
  });

  it('parses every parameter', () => {
    const query =
      'q=%20maple%20&type=Single+Family&min=100&max=200&beds=3&baths=2&sort=price-up&page=7&bbox=1,2,3,4' +
      '&after=-1790000000.123456_00000000-0000-4000-8000-000000000001' +
      '&sqft-min=1,200&sqft-max=2400&lot-min=0.5+acres&lot-max=87120&year-min=1950&year-max=2020' +
      '&amenity=garage&amenity=Pool&amenity=moat&amenity=pool&keywords=+wide%20porch+';
    expect(parse(query)).toEqual({
      text: 'maple',
      typeId: 2,
      minCents: 10_000,
      maxCents: 20_000,
      minBeds: 3,
      minBaths: 2,
      minSqft: 1_200,
      maxSqft: 2_400,
      minLotSqft: 21_780,
      maxLotSqft: 87_120,
      minYear: 1_950,
      maxYear: 2_020,
      amenities: ['pool', 'garage'],
      keywords: 'wide porch',
      sort: 'price-up',
      page: 7,
      after: { key: -1_790_000_000.123456, id: '00000000-0000-4000-8000-000000000001' },
      area: null,
      bbox: { south: 1, west: 2, north: 3, east: 4 },
    });
  });

  it.each([
    'type=castle',
    'min=abc',
    'min=-5',
    'min=1e3',
    'max=12.5',
    'max=99999999999999',
    'beds=many',
    'beds=100',
    'baths=0x2',
    'sort=random',
    'sort=__proto__',
    'page=0',
    'page=-1',
    'page=two',
    'bbox=',
    'bbox=1,2,3',
    'bbox=a,b,c,d',
    'bbox=3,2,1,4',
    'bbox=1,4,3,2',
    'bbox=NaN,0,1,1',
    'bbox=1e1,0,20,1',
    'sqft-min=big',
    'sqft-max=-1',
    'lot-min=.',
    'lot-max=1e9',
    'lot-min=1 hectare',
    'year-min=20000',
    'year-max=new',
    'after=1',
    'after=x_00000000-0000-4000-8000-000000000001',
    'amenity=',
    'amenity=constructor',
    'keywords=%20%00',
    'nonsense=1',
  ])('ignores %s', (query) => {
    expect(parse(query)).toEqual(everything);
  });

  it('truncates the text to 200 characters and removes control characters', () => {
    expect(parse(`q=${'x'.repeat(500)}`).text).toHaveLength(MAX_TEXT_LENGTH);
    expect(parse('q=a%00b%0d%0ac').text).toBe('a b c');
  });

  it('converts bounds on the total price into bounds on the base price', () => {
    const halved = { atLeast: (total: number) => total / 2, atMost: (total: number) => total / 2 - 1 };
    const criteria = parseCriteria(new URLSearchParams('min=10&max=20'), types, halved);
    expect([criteria.minCents, criteria.maxCents]).toEqual([500, 999]);
  });
});

it.each([
  ['vacant lot', 1],
  ['VACANT-LOT', 1],
  [' Single Family ', 2],
  // A current name wins over an old slug.
  ['land', 3],
  ['acreage', 3],
])('the type %s is %i', (value, id) => {
  expect(findType(value, types)?.id).toBe(id);
});

it('clamps a rectangle to the edges of the map', () => {
  expect(parseRectangle('-95,-200.5,95,200.5')).toEqual({ south: -90, west: -180, north: 90, east: 180 });
  expect(parseRectangle(formatRectangle({ south: 1.23456789, west: -2, north: 3, east: 4 }))).toEqual({
    south: 1.234568,
    west: -2,
    north: 3,
    east: 4,
  });
});

it('formats totals', () => {
  expect(formatTotal({ total: 37, capped: false })).toBe('37');
  expect(formatTotal({ total: 1000, capped: false })).toBe('1,000');
  expect(formatTotal({ total: 1000, capped: true })).toBe('1,000+');
});
