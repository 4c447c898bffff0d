import { describe, expect, it } from 'vitest';
import { type FieldName, importFields, partFields } from './fields.ts';
import { recognizeColumns } from './mapping.ts';
import { TypeWords } from './property-types.ts';
import { parseRow, type RowRules } from './rows.ts';

const names: FieldName[] = [...importFields, ...partFields];
const rules: RowRules = {
  mapping: recognizeColumns({ header: names, preset: null }),
  types: new TypeWords(
    [
      { id: 2, name: 'Single Family', isActive: true },
      { id: 3, name: 'Multi-Family', isActive: true },
      { id: 5, name: 'Condo/Co-op', isActive: false },
    ],
    { R9: 'Multi-Family' },
    false,
  ),
  now: new Date('2026-11-20T12:00:00Z'),
};
type Cells = Partial<Record<FieldName, string>>;
const validCells: Cells = {
  source_id: 'nh:1-1',
  price: '461900',
  // of a sale before, unless the home is sold
  sold_price: '450000',
  address: '17 FARAWAY LN',
  city: 'WEST LEBANON',
  state: 'nh',
  zip: '03784',
  property_type: 'single family',
  bedrooms: '3',
  bathrooms: '2.5',
  square_feet: '2332',
  year_built: '1963',
  latitude: '43.689546',
  longitude: '-72.301533',
};
const cellsOf = (cells: Cells) => names.map((name) => cells[name] ?? '');
const parse = (changed: Cells = {}) => parseRow(cellsOf({ ...validCells, ...changed }), rules);
function accepted(changed: Cells) {
  const row = parse(changed);
  if (!row.ok) throw new Error(row.refusal.reason);
  return row.row;
}

it('parses a valid row', () => {
  expect(parse()).toEqual({
    ok: true,
    row: {
      sourceId: 'nh:1-1',
      isNumbered: false,
      isRepeated: false,
      market: 'for_sale',
      soldAt: null,
      statusWord: '',
      typeWords: 'single family\n',
      doubts: [],
      photoUrls: [],
      notes: [],
      values: {
        type_id: 2,
        price_cents: 46_190_000,
        address: '17 Faraway Ln',
        title: null,
        city: 'West Lebanon',
        state: 'NH',
        zip: '03784',
        neighborhood: null,
        mls_name: null,
        mls_number: null,
        description: null,
        bedrooms: 3,
        bathrooms: 2,
        half_baths: 1,
        square_feet: 2332,
        lot_square_feet: null,
        year_built: 1963,
        latitude: 43.689546,
        longitude: -72.301533,
      },
    },
  });
});

describe('refused rows', () => {
  it.each<[FieldName, string, string]>([
    ['source_id', 'x'.repeat(201), 'A source_id has at most 200 characters.'],
    ['source_id', '=A1', 'Begins like a spreadsheet formula.'],
    ['price', '', 'Price is required.'],
    ['price', '-1', 'Price must be greater than 0.'],
    ['price', 'call us', 'Price is not a number.'],
    ['price', '1000000000', 'Price must be at most $999,999,999.99.'],
    ['address', '12 A', 'Address must be at least 5 characters.'],
    ['address', 'x'.repeat(201), 'Address must be at most 200 characters.'],
    ['address', '@SUM(1+1)', 'Begins like a spreadsheet formula.'],
    ['address', '1 MA\0IN ST', 'Contains a control character.'],
    ['address', '1 Main St\n2 Main St', 'Goes on over lines: a quotation mark (") is not closed?'],
    ['property_type', '', 'Property type is required.'],
    [
      'property_type',
      'Castle',
      'Not a property type that is known here. Allowed: Single Family, Multi-Family.',
    ],
    [
      'property_type',
      'CONDO',
      'The property type Condo/Co-op is off; --activate-types switches it on. Allowed: Single Family, Multi-Family.',
    ],
    ['city', 'Qu\ufffdbec', 'Is not UTF-8 text; save the file as "CSV UTF-8".'],
    ['description', 'nice \u202e house', 'Contains a control character.'],
  ])('%s %j: %s', async (column, cell, reason) => {
    const parsed = (async () => parse({ [column]: cell }))();
    await expect(parsed).resolves.toMatchObject({ ok: false, refusal: { column, reason } });
  });

  it('a wrong number of cells, unless the extra ones are blank', () => {
    expect(parseRow(cellsOf(validCells).slice(1), rules)).toMatchObject({
      ok: false,
      refusal: { column: null, detail: `${names.length - 1} instead of ${names.length}` },
    });
    expect(parseRow([...cellsOf(validCells), 'x'], rules).ok).toBe(false);
    expect(parseRow([...cellsOf(validCells), '', ' '], rules).ok).toBe(true);
  });
});

describe('cells left blank with a note', () => {
  it.each<[Cells, string]>([
    [{ title: 'x' }, 'title: shorter than 2 characters, left blank'],
    [{ title: '=1+1' }, 'title: begins like a spreadsheet formula, left blank'],
    [{ zip: 'hello' }, 'zip: is not a ZIP code, left blank'],
    [{ zip: '90210' }, 'zip: is not a ZIP code of the state, left blank'],
    [{ latitude: '30', longitude: '10' }, 'latitude: not in the state, left blank'],
    [{ neighborhood: '1010' }, 'neighborhood: a number is no neighborhood, left blank'],
    [{ lot_size: '0.3' }, 'lot_size: its unit is not known, left blank'],
    [{ description: 'x'.repeat(10_001) }, 'description: longer than 10,000 characters, left blank'],
    [{ bedrooms: '100' }, 'bedrooms: not between 0 and 99, left blank'],
    [{ bathrooms: 'two' }, 'bathrooms: not a number, left blank'],
    [{ year_built: '1599' }, 'year_built: not between 1600 and 2029, left blank'],
    [{ year_built: '2030' }, 'year_built: not between 1600 and 2029, left blank'],
    [{ latitude: '' }, 'latitude: one coordinate without the other, both left blank'],
    [{ longitude: '' }, 'longitude: one coordinate without the other, both left blank'],
    [{ latitude: '0', longitude: '0' }, 'latitude: 0, 0 is no place, left blank'],
  ])('%o', (changed, note) => {
    const row = accepted(changed);
    expect(row.notes.map(({ column, reason }) => `${column}: ${reason}`)).toEqual([note]);
    for (const column of Object.keys(changed))
      expect((row.values as unknown as Record<string, unknown>)[column] ?? null).toBe(null);
  });
  it('a latitude out of range also drops the longitude', () => {
    const row = accepted({ latitude: '91' });
    expect(row.values).toMatchObject({ latitude: null, longitude: null });
    expect(row.notes).toHaveLength(1);
  });
  it('a quarter bathroom becomes a half one', () => {
    const row = accepted({ bathrooms: '1.75' });
    expect(row.values).toMatchObject({ bathrooms: 1, half_baths: 1 });
    expect(row.notes).toEqual([{ column: 'bathrooms', reason: 'a quarter bathroom counts as a half one' }]);
  });
});

it('accepts addresses without a house number, blank rooms and descriptions that begin with a hyphen', () => {
  const row = accepted({
    address: '0 N MAIN ST',
    bedrooms: '',
    bathrooms: '',
    zip: '',
    description: '- sunny\n- quiet',
  });
  expect(row.values).toMatchObject({
    address: '0 N Main St',
    bedrooms: null,
    bathrooms: null,
    half_baths: null,
  });
  expect(row.values).toMatchObject({ zip: null, description: '- sunny\n- quiet' });
  expect(row.notes).toEqual([]);
});

it.each(['Multi-Family', 'multi family', ' MULTI-FAMILY '])(
  '%j is the type Multi-Family',
  (property_type) => {
    expect(accepted({ property_type }).values.type_id).toBe(3);
  },
);

describe('what other files write', () => {
  it.each<[Cells, Record<string, unknown>]>([
    [{ address: '17 FARAWAY LN Unit 4b', unit: '' }, { address: '17 Faraway Ln Unit 4b' }],
    [{ address: '17 Main St', unit: '#12' }, { address: '17 Main St Unit 12' }],
    [{ address: '17 Main St Apt 12', unit: '12' }, { address: '17 Main St Apt 12' }],
    [
      { address: '', street_number: '17', street_direction: 'N', street_name: 'MAIN', street_suffix: 'ST' },
      { address: '17 N Main St' },
    ],
    [
      { address: '12 Elm St, Hanover, NH 03755', city: '', state: '', zip: '' },
      { address: '12 Elm St', city: 'Hanover', state: 'NH', zip: '03755' },
    ],
    [{ state: 'New Hampshire' }, { state: 'NH' }],
    [{ zip: '="03766"' }, { zip: '03766' }],
    [{ zip: '3766' }, { zip: '03766' }],
    [{ zip: '3766.0' }, { zip: '03766' }],
    [{ zip: '037661234' }, { zip: '03766-1234' }],
    [
      { city: 'Unknown', title: 'NULL NULL', bedrooms: 'N/A' },
      { city: null, title: null, bedrooms: null },
    ],
    [
      { description: '.....', square_feet: '-' },
      { description: null, square_feet: null },
    ],
    [
      { latitude: '-72.301533', longitude: '43.689546' },
      { latitude: 43.689546, longitude: -72.301533 },
    ],
    [{ longitude: '72.301533' }, { latitude: 43.689546, longitude: -72.301533 }],
    [
      { latitude: '', longitude: '', coordinates: 'POINT (-72.3 43.7)' },
      { latitude: 43.7, longitude: -72.3 },
    ],
    [{ latitude: '43,689546', longitude: '-72,301533' }, { latitude: 43.689546 }],
    [
      { full_baths: '2', half_baths: '1', bathrooms: '3' },
      { bathrooms: 2, half_baths: 1 },
    ],
    [
      { bedrooms: '3 bds', bathrooms: '2 ba' },
      { bedrooms: 3, bathrooms: 2 },
    ],
    [{ bedrooms: 'Studio' }, { bedrooms: 0 }],
    [{ lot_acres: '0.5' }, { lot_square_feet: 21_780 }],
    [{ lot_size: '2', lot_units: 'Acres' }, { lot_square_feet: 87_120 }],
    [{ lot_square_feet: '6,534 sqft' }, { lot_square_feet: 6_534 }],
    [
      { square_feet: '0', year_built: '0' },
      { square_feet: null, year_built: null },
    ],
    [{ neighborhood: 'RIVER BEND' }, { neighborhood: 'River Bend' }],
    [{ neighborhood: 'West Lebanon' }, { neighborhood: null }],
    [{ property_type: 'Residential', property_subtype: 'Duplex' }, { type_id: 3 }],
    [{ property_type: 'r9' }, { type_id: 3 }],
    [{ property_type: 'SingleFamilyResidence' }, { type_id: 2 }],
  ])('%o', (changed, values) => expect(accepted(changed).values).toMatchObject(values));

  it('puts an id together from the MLS and its number, or from the address', () => {
    expect(accepted({ source_id: '', mls_name: 'NEREN', mls_number: '4987654' })).toMatchObject({
      sourceId: 'NEREN:4987654',
      isNumbered: true,
      values: { mls_name: 'NEREN', mls_number: '4987654' },
    });
    const composed = accepted({ source_id: '', address: '17 North Main Street, Unit 4' }).sourceId;
    expect(composed).toBe('address:17 n main st 4|03784');
    expect(accepted({ source_id: 'N/A', address: '17 N MAIN ST #4' }).sourceId).toBe(composed);
  });

  it('collects the addresses of photos', () => {
    const photo_urls =
      'https://a.test/1.jpg,https://a.test/2.jpg | http://a.test/3.jpg https://a.test/1.jpg ftp://x';
    expect(accepted({ photo_urls }).photoUrls).toEqual([
      'https://a.test/1.jpg',
      'https://a.test/2.jpg',
      'http://a.test/3.jpg',
    ]);
  });
});

describe('the market', () => {
  const soldOn = (day: string) => new Date(`${day}T00:00:00Z`);
  it.each<[Cells, Record<string, unknown>]>([
    [{ status: 'Active' }, { market: 'for_sale', soldAt: null }],
    [
      { status: 'Active', sold_date: '2019-05-01' },
      { market: 'for_sale', soldAt: null },
    ],
    [{ status: 'Active Under Contract' }, { market: 'under_contract' }],
    [{ status: 'Expired' }, { market: 'off_market' }],
    [{ sale_type: 'MLS Listing' }, { market: 'for_sale' }],
    [
      { sale_type: 'PAST SALE', sold_date: 'October-31-2025' },
      { market: 'sold', soldAt: soldOn('2025-10-31') },
    ],
    [{ sale_type: 'PAST SALE', status: 'Active', sold_date: '10/31/2025' }, { market: 'sold' }],
    [{ sold_date: '31-Oct-2025' }, { market: 'sold', soldAt: soldOn('2025-10-31') }],
  ])('%o', (changed, row) => expect(accepted(changed)).toMatchObject(row));

  it('a sold home has the price of its sale', () => {
    const sold = accepted({ status: 'Closed', sold_date: '2025-10-31', sold_price: '$440,000' });
    expect(sold.values.price_cents).toBe(44_000_000);
  });

  it.each<[Cells, FieldName]>([
    [{ status: 'FOR_SALE', price: '', sold_price: '98000', sold_date: '1998-05-01' }, 'price'],
    [{ status: 'AUCTION', price: 'N/A', sold_price: '98000', sold_date: '1998-05-01' }, 'price'],
    [{ status: 'Pending', price: '', sold_price: '98000' }, 'price'],
    [{ status: 'Closed', price: '461900', sold_price: '', sold_date: '2025-10-31' }, 'sold_price'],
    [{ status: '', price: '461900', sold_price: '', sold_date: '2025-10-31' }, 'sold_price'],
  ])('%o has no price, although the file has another one', (changed, column) =>
    expect(parse(changed)).toMatchObject({
      ok: false,
      refusal: { column, reason: 'Price is required.' },
    }),
  );

  it('a file with one column of prices has it for sold homes and for those on the market', () => {
    const only = (priced: FieldName, cells: Cells) => {
      const columns = names.filter((name) => name === priced || !['price', 'sold_price'].includes(name));
      const mapping = recognizeColumns({ header: columns, preset: null });
      const all: Cells = { ...validCells, ...cells, [priced]: '440000' };
      return parseRow(
        columns.map((name) => all[name] ?? ''),
        { ...rules, mapping },
      );
    };
    const priced = { ok: true, row: { values: { price_cents: 44_000_000 } } };
    expect(only('price', { status: 'Sold', sold_date: '2025-10-31' })).toMatchObject(priced);
    expect(only('sold_price', { status: 'Active' })).toMatchObject(priced);
  });

  it('a price that every row has is a column of its own', () => {
    const columns = names.filter((name) => name !== 'sold_price');
    const mapping = recognizeColumns({ header: columns, preset: null }, { map: { sold_price: '=440000' } });
    const sold: Cells = { ...validCells, status: 'Sold', sold_date: '2025-10-31' };
    expect(
      parseRow(
        columns.map((name) => sold[name] ?? ''),
        { ...rules, mapping },
      ),
    ).toMatchObject({ ok: true, row: { values: { price_cents: 44_000_000 } } });
  });

  it.each<[Cells, FieldName, string]>([
    [{ status: 'Sold' }, 'sold_date', 'The home is sold, and the date of its sale is missing.'],
    [
      { status: 'Sold', sold_date: 'soon' },
      'sold_date',
      'The home is sold, and the date of its sale is not a date.',
    ],
    [{ status: 'Sold', sold_date: '2027-10-31' }, 'sold_date', 'The date of the sale is in the future.'],
    [{ status: 'For Rent' }, 'status', 'The home is for rent, not for sale.'],
    [
      { status: 'Zombie' },
      'status',
      'Not a known status. Known: Active, Pending, Sold, Withdrawn and words like them.',
    ],
  ])('%o is refused', (changed, column, reason) =>
    expect(parse(changed)).toMatchObject({ ok: false, refusal: { column, reason } }),
  );
});
