import { describe, expect, it } from 'vitest';
import { cellText } from './cells.ts';
import { homeKey, isOtherHome } from './home-key.ts';
import { checkPoint, checkZip } from './places.ts';
import { LEFT_OUT, TypeWords, usualType } from './property-types.ts';
import { meaningOf, parseDay } from './statuses.ts';
import { splitAddress } from './whole-address.ts';

it.each([
  'NULL',
  'N/A',
  'n/a',
  'NA',
  'None',
  'Unknown',
  '.....',
  '-',
  '--',
  'NULL NULL',
  '#N/A',
  'nan',
  '',
  '  ',
  '?',
])('%j means no value', (cell) => expect(cellText(cell)).toBe(''));
it.each([
  ['="03766"', '03766'],
  ['=1+1', '=1+1'],
  [' Nashua ', 'Nashua'],
  ['Unknown Pond Rd', 'Unknown Pond Rd'],
  ['0', '0'],
])('%j is %j', (cell, text) => expect(cellText(cell)).toBe(text));

it.each<[string, string | null]>([
  ['Single Family Residential', 'Single Family'],
  ['SINGLE_FAMILY', 'Single Family'],
  ['SingleFamilyResidence', 'Single Family'],
  ['Residential', 'Single Family'],
  ['01 ONE FAMILY DWELLINGS', 'Single Family'],
  ['Ranch', 'Single Family'],
  ['Condo/Co-op', 'Condo/Co-op'],
  ['CONDO', 'Condo/Co-op'],
  ['Condominium', 'Condo/Co-op'],
  ['StockCooperative', 'Condo/Co-op'],
  ['13 CONDOS - ELEVATOR APARTMENTS', 'Condo/Co-op'],
  ['Townhouse', 'Townhouse'],
  ['TOWNHOME', 'Townhouse'],
  ['Mobile/Manufactured Home', 'Mobile/Manufactured'],
  ['MANUFACTURED', 'Mobile/Manufactured'],
  ['Manufactured On Land', 'Mobile/Manufactured'],
  ['Multi-Family (2-4 Unit)', 'Multi-Family'],
  ['Multi-Family (5+ Unit)', 'Multi-Family'],
  ['Duplex', 'Multi-Family'],
  ['Two Family', 'Multi-Family'],
  ['ResidentialIncome', 'Multi-Family'],
  ['Vacant Land', 'Vacant Lot'],
  ['Lots/Land', 'Vacant Lot'],
  ['LOT', 'Vacant Lot'],
  ['CommercialSale', 'Commercial'],
  ['Office', 'Commercial'],
  ['ResidentialLease', null],
  ['Parking', null],
  ['Timeshare', null],
  ['Castle', null],
  ['', null],
])('the type %j is usually %j', (name, type) => expect(usualType(name)).toBe(type));

it.each<[string, string | null]>([
  ['Active', 'for_sale'],
  ['FOR_SALE', 'for_sale'],
  ['ComingSoon', 'for_sale'],
  ['Price Reduced', 'for_sale'],
  ['Active Under Contract', 'under_contract'],
  ['ActiveUnderContract', 'under_contract'],
  ['Active - Contingent', 'under_contract'],
  ['Pending', 'under_contract'],
  ['PENDING', 'under_contract'],
  ['Sold', 'sold'],
  ['Closed', 'sold'],
  ['RECENTLY_SOLD', 'sold'],
  ['Withdrawn', 'off_market'],
  ['Cancelled', 'off_market'],
  ['Temporarily Off Market', 'off_market'],
  ['Expired', 'off_market'],
  ['FOR_RENT', 'for_rent'],
  ['Leased', 'for_rent'],
  ['Zombie', null],
])('the status %j means %j', (status, meaning) => expect(meaningOf(status)).toBe(meaning));

it.each<[string, string]>([
  ['2025-10-31', '2025-10-31'],
  ['2025-10-31T17:30:00Z', '2025-10-31'],
  ['2025/10/31', '2025-10-31'],
  ['10/31/2025', '2025-10-31'],
  ['31/10/2025', '2025-10-31'],
  ['10/31/25 12:00 AM', '2025-10-31'],
  ['October-31-2025', '2025-10-31'],
  ['Oct 31, 2025', '2025-10-31'],
  ['31-Oct-25', '2025-10-31'],
  ['20251031', '2025-10-31'],
  ['45961', '2025-10-31'],
  ['1761912000000', '2025-10-31'],
])('%s is a day', (cell, day) => expect(parseDay(cell)).toEqual({ value: new Date(`${day}T00:00:00Z`) }));
it.each(['soon', '2025-02-30', '13/13/2025', '99999999', '31-Foo-2025'])('%s is no day', (cell) =>
  expect(parseDay(cell)).toHaveProperty('wrong'),
);

describe('ZIP codes', () => {
  it.each<[string, string | null, string]>([
    ['03766', 'NH', '03766'],
    ['3766', 'NH', '03766'],
    ['2134', 'MA', '02134'],
    ['21341234', 'MA', '02134-1234'],
    ['02134 1234', null, '02134-1234'],
    ['K1A 0B1', 'ON', 'K1A 0B1'],
  ])('%s in %s is %s', (cell, state, zip) => expect(checkZip(cell, state)).toMatchObject({ ok: true, zip }));
  it.each<[string, string | null]>([
    ['hello', null],
    ['00000', null],
    ['12', 'NY'],
    ['90210', 'NH'],
    ['123456', 'NH'],
  ])('%s in %s is none', (cell, state) => expect(checkZip(cell, state).ok).toBe(false));
});

describe('coordinates', () => {
  const lebanon = { latitude: 43.64, longitude: -72.25 };
  it.each<[number, number, string | null]>([
    [43.64, -72.25, null],
    [43.64, 72.25, 'a wrong sign was corrected'],
    [-43.64, -72.25, 'a wrong sign was corrected'],
    [-72.25, 43.64, 'latitude and longitude were swapped'],
    [72.25, 43.64, 'latitude and longitude were swapped and a sign was wrong'],
  ])('%f, %f', (first, second, correction) => {
    expect(checkPoint(first, second, 'NH', null)).toEqual({ ok: true, point: lebanon, correction });
    expect(checkPoint(first, second, null, '03766')).toEqual({ ok: true, point: lebanon, correction });
  });
  it.each<[number, number, number, string | null]>([
    [52.84, 173.18, 173.18, null],
    [52.71, 174.11, 174.11, null],
    [51.88, -176.66, -176.66, null],
    [61.22, 149.9, -149.9, 'a wrong sign was corrected'],
    [63.7, 171.73, -171.73, 'a wrong sign was corrected'],
  ])('%f, %f in Alaska, which reaches beyond 180 degrees', (latitude, given, longitude, correction) => {
    const checked = { ok: true, point: { latitude, longitude }, correction };
    expect(checkPoint(latitude, given, 'AK', null)).toEqual(checked);
  });
  it('elsewhere, and where nothing is known', () => {
    expect(checkPoint(10, 10, 'NH', null)).toEqual({ ok: false });
    expect(checkPoint(10, 10, null, null)).toMatchObject({ ok: true, correction: null });
    expect(checkPoint(43.6, -79.3, 'ON', null)).toMatchObject({ ok: true });
    expect(checkPoint(100, 10, null, null)).toEqual({ ok: false });
  });
});

describe('homes', () => {
  const home = (address: string, zip: string | null = '03766', city: string | null = 'Lebanon') => ({
    address,
    zip,
    city,
  });
  it.each([
    ['12 N Main St #4', '12 North Main Street, Unit 4'],
    ['5 Mt. Support Rd', '5 MT SUPPORT ROAD'],
  ])('%s is %s', (one, other) => {
    expect(homeKey(home(one))).toBe(homeKey(home(other)));
    expect(isOtherHome(home(one), home(other))).toBe(false);
  });
  it('tells homes from corrections of one', () => {
    expect(isOtherHome(home('12 Main St'), home('14 Main St'))).toBe(true);
    expect(isOtherHome(home('12 Main St'), home('12 Main Strt'))).toBe(false);
    expect(isOtherHome(home('12 Main St'), home('12 Elm St', '90210'))).toBe(true);
    expect(isOtherHome(home('12 Main St'), home('12 Main St', '03784'))).toBe(false);
  });
});

it.each<[string, ReturnType<typeof splitAddress>]>([
  ['12 Elm St, Hanover, NH 03755', { street: '12 Elm St', city: 'Hanover', state: 'NH', zip: '03755' }],
  ['12 Elm St, Unit 4, Hanover, New Hampshire, 03755-1234, USA', null],
  [
    '12 Elm St, Unit 4, Hanover, New Hampshire 03755, USA',
    { street: '12 Elm St, Unit 4', city: 'Hanover', state: 'NH', zip: '03755' },
  ],
  ['12 Elm St, Hanover, N.H.', { street: '12 Elm St', city: 'Hanover', state: 'NH', zip: '' }],
  ['12 Elm St, Apt 4', null],
  ['12 Elm St, Hanover, Ontario', null],
])('%s is split', (line, parts) => expect(splitAddress(line)).toEqual(parts));

describe('what is chosen for words of property types', () => {
  const types = [
    { id: 1, name: 'Single Family', isActive: true },
    { id: 2, name: 'Vacant Lot', isActive: true },
    { id: 3, name: 'Townhouse', isActive: false },
  ];
  const found = (words: TypeWords, type: string, subtype = '') => {
    const result = words.find(type, subtype);
    return result.ok ? result.type.name : result.reason.split('.')[0];
  };

  it('by a word counts before all else, and empty leaves its rows out', () => {
    const words = new TypeWords(types, { R1: 'sfr', House: 'Vacant Lot', Yurt: '', constructor: '' }, false);
    expect(found(words, 'r1')).toBe('Single Family');
    expect(found(words, 'HOUSE')).toBe('Vacant Lot');
    expect(found(words, 'yurt')).toBe(LEFT_OUT.slice(0, -1));
    expect(found(words, 'House', 'Yurt')).toBe(LEFT_OUT.slice(0, -1));
    expect(found(words, 'toString')).toBe('Not a property type that is known here');
  });

  it('by the words of a row counts for this row alone, and never against a known word', () => {
    const words = new TypeWords(types, {}, false, {
      'Other: Yurt': 'Vacant Lot',
      House: 'Vacant Lot',
      igloo: '',
      cube: 'Townhouse',
    });
    expect(found(words, 'Other', 'Yurt')).toBe('Vacant Lot');
    expect(found(words, 'Some', 'Yurt')).toBe('Not a property type that is known here');
    expect(found(words, 'House')).toBe('Single Family');
    expect(found(words, 'Igloo')).toBe(LEFT_OUT.slice(0, -1));
    expect(found(words, 'Cube')).toMatch(/^The property type Townhouse is off/);
  });
});
