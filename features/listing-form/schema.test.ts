import { describe, expect, it } from 'vitest';
import { type FormField, type ListingForm, sanitizeForm } from './form.ts';
import { parseListing } from './schema.ts';

const good = {
  title: 'Garden house on Heron Way',
  price: '615,000',
  type: '2',
  address: '27 Heron Way, Cedar Hollow, OR 97031',
  bedrooms: '3',
  bathrooms: '2',
  squareFeet: '1,840.5',
  description: 'Low, quiet rooms around a walled garden.',
};
const parse = (changes: Partial<ListingForm> = {}) =>
  parseListing(sanitizeForm({ ...good, ...changes }), 2026);
const errorsOf = (changes: Partial<ListingForm>) => {
  const parsed = parse(changes);
  return parsed.ok ? {} : parsed.errors;
};

it('parses a filled-in form', () => {
  expect(
    parse({ yearBuilt: '2029', lotSquareFeet: '5000', halfBaths: '1', amenities: ['9', '4', '9'] }),
  ).toEqual({
    ok: true,
    values: {
      title: 'Garden house on Heron Way',
      priceCents: 61_500_000,
      typeId: 2,
      address: { address: '27 Heron Way', city: 'Cedar Hollow', state: 'OR', zip: '97031' },
      bedrooms: 3,
      bathrooms: 2,
      halfBaths: 1,
      squareFeet: 1840.5,
      yearBuilt: 2029,
      lotSquareFeet: 5000,
      neighborhood: null,
      description: 'Low, quiet rooms around a walled garden.',
      amenityIds: [4, 9],
      place: null,
    },
  });
});

it('limits the length of a neighborhood', () => {
  expect(errorsOf({ neighborhood: 'a'.repeat(100) })).toEqual({});
  expect(errorsOf({ neighborhood: 'a'.repeat(101) })).toEqual({
    neighborhood: 'Neighborhood must be at most 100 characters.',
  });
});

it('reports every blank required field', () => {
  const blank = parseListing(sanitizeForm({}), 2026);
  expect(blank.ok ? {} : blank.errors).toEqual({
    title: 'Title must be at least 2 characters.',
    price: 'Price is required.',
    address: 'Address must be at least 5 characters.',
    description: 'Description must be at least 10 characters.',
    type: 'Property type is required.',
    bedrooms: 'Number of bedrooms is required.',
    bathrooms: 'Number of bathrooms is required.',
    squareFeet: 'Square footage is required.',
  });
});

describe('amounts and counts', () => {
  for (const price of ['1,250,000', '$950000.50', ' 1 ', '0.01', '999,999,999.99'])
    it(`accepts the price ${price}`, () => expect(errorsOf({ price })).toEqual({}));
  for (const price of ['abc', '-5', '1e99', '0', '0.00', '1,2,3', '12.345', 'NaN', '٣'])
    it(`refuses the price ${price}`, () =>
      expect(errorsOf({ price })).toEqual({ price: 'Price must be a number greater than 0.' }));
  it('enforces limits', () => {
    expect(errorsOf({ price: '1,000,000,000' })).toEqual({ price: 'Price must be at most $999,999,999.99.' });
    for (const [name, text] of [
      ['bedrooms', '100'],
      ['bedrooms', '-1'],
      ['bathrooms', '2.5'],
      ['squareFeet', '10000001'],
      ['yearBuilt', '1599'],
      ['yearBuilt', '2030'],
      ['lotSquareFeet', '-1'],
      ['halfBaths', 'x'],
    ] as const)
      expect(Object.keys(errorsOf({ [name]: text })), `${name} ${text}`).toEqual([name]);
  });
  it('accepts zero bedrooms and bathrooms for land', () => {
    expect(errorsOf({ bedrooms: '0', bathrooms: '0', squareFeet: '0' })).toEqual({});
  });
});

describe('texts', () => {
  for (const [name, most] of [
    ['title', 120],
    ['address', 200],
    ['description', 10_000],
  ] as [FormField, number][])
    it(`${name} has at most ${most} characters`, () => {
      expect(errorsOf({ [name]: 'x'.repeat(most) })).toEqual({});
      expect(errorsOf({ [name]: 'x'.repeat(most + 1) })[name]).toMatch(/at most/);
    });
  it('strips control and bidirectional formatting characters', () => {
    expect(sanitizeForm({ title: 'a\u0000b\u202ec\ud800' }).title).toBe('abc\ufffd');
    expect(sanitizeForm({ description: 'one\r\ntwo\rthree' }).description).toBe('one\ntwo\nthree');
  });
});

it('turns any input into a form', () => {
  for (const junk of [null, 3, 'x', [], { title: 3, amenities: 'x' }, { amenities: [1, 'two', null, '7'] }])
    expect(sanitizeForm(junk).title).toBe('');
  expect(sanitizeForm({ amenities: ['7', '1; drop', '7'] }).amenities).toEqual(['7']);
  expect(sanitizeForm({ place: '1,2 nowhere' }).place).toBe('');
  expect(sanitizeForm({ price: '$1,250,000.5' }).price).toBe('1250000.5');
});
