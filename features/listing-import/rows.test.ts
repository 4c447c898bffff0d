import { describe, expect, it } from 'vitest';
import { type ColumnName, optionalColumns, parseHeader, requiredColumns } from './columns.ts';
import { parseRow, type RowRules, typeKey } from './rows.ts';

const names = [...requiredColumns, ...optionalColumns];
const header = parseHeader(names);
if (!header.ok) throw new Error(header.reason);
const rules: RowRules = {
  columns: header.columns,
  types: new Map([
    [typeKey('Single Family'), 2],
    [typeKey('Multi-Family'), 3],
  ]),
  year: 2026,
};
const validCells: Partial<Record<ColumnName, string>> = {
  source_id: 'nh:1-1',
  price: '461900',
  address: '17 FARAWAY LN',
  city: 'WEST LEBANON',
  state: 'nh',
  zip: '3784',
  property_type: 'single family',
  bedrooms: '3',
  bathrooms: '2.5',
  square_feet: '2332',
  year_built: '1963',
  latitude: '43.689546',
  longitude: '-72.301533',
};
const cellsOf = (cells: Partial<Record<ColumnName, string>>) => names.map((name) => cells[name] ?? '');
const parse = (changed: Partial<Record<ColumnName, string>> = {}) =>
  parseRow(cellsOf({ ...validCells, ...changed }), rules);
function accepted(changed: Partial<Record<ColumnName, string>>) {
  const row = parse(changed);
  if (!row.ok) throw new Error(row.refusal.reason);
  return row;
}

it('parses a valid row', () => {
  expect(parse()).toEqual({
    ok: true,
    sourceId: 'nh:1-1',
    notes: [],
    values: {
      type_id: 2,
      price_cents: 46_190_000,
      address: '17 Faraway Ln',
      title: null,
      city: 'West Lebanon',
      state: 'NH',
      zip: '3784',
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
  });
});

describe('refused rows', () => {
  it.each<[ColumnName, string, string]>([
    ['source_id', ' ', 'A source_id is required.'],
    ['source_id', 'x'.repeat(201), 'A source_id has at most 200 characters.'],
    ['source_id', '=A1', 'Begins like a spreadsheet formula.'],
    ['price', '', 'Price is required.'],
    ['price', '-1', 'Price must be a number greater than 0.'],
    ['price', '1000000000', 'Price must be at most $999,999,999.99.'],
    ['address', '12 A', 'Address must be at least 5 characters.'],
    ['address', 'x'.repeat(201), 'Address must be at most 200 characters.'],
    ['address', '@SUM(1+1)', 'Begins like a spreadsheet formula.'],
    ['address', '1 MA\0IN ST', 'Contains a control character.'],
    ['address', '1 Main St\n2 Main St', 'Goes on over lines: a quotation mark (") is not closed?'],
    ['property_type', '', 'Property type is required.'],
    ['property_type', 'Castle', 'Not an active property type.'],
    ['city', 'Qu\ufffdbec', 'Is not UTF-8 text; save the file as "CSV UTF-8".'],
    ['description', 'nice \u202e house', 'Contains a control character.'],
  ])('%s %j: %s', (column, cell, reason) => {
    expect(parse({ [column]: cell })).toMatchObject({ ok: false, refusal: { column, reason } });
  });

  it('a wrong number of cells, unless the extra ones are blank', () => {
    expect(parseRow(cellsOf(validCells).slice(1), rules)).toMatchObject({
      ok: false,
      refusal: { column: null, detail: '15 instead of 16' },
    });
    expect(parseRow([...cellsOf(validCells), 'x'], rules).ok).toBe(false);
    expect(parseRow([...cellsOf(validCells), '', ' '], rules).ok).toBe(true);
  });
});

describe('cells left blank with a note', () => {
  it.each<[Partial<Record<ColumnName, string>>, string]>([
    [{ title: 'x' }, 'title: shorter than 2 characters, left blank'],
    [{ title: '=1+1' }, 'title: begins like a spreadsheet formula, left blank'],
    [{ zip: '="03766"' }, 'zip: begins like a spreadsheet formula, left blank'],
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
    for (const column of Object.keys(changed)) expect(row.values).toHaveProperty(column, null);
  });
  it('a latitude out of range also drops the longitude', () => {
    const row = accepted({ latitude: '91' });
    expect(row.values).toMatchObject({ latitude: null, longitude: null });
    expect(row.notes).toHaveLength(2);
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
