import {
  area,
  bathrooms,
  type Cell,
  degrees,
  hiddenCharacter,
  isFormula,
  oneLine,
  priceCents,
  wholeNumber,
} from './cells.ts';
import type { ColumnName, Columns } from './columns.ts';
import { readableCase } from './letter-case.ts';

/** What a row says of a listing, by column of the database; null where it says nothing. */
export interface RowValues {
  type_id: number;
  price_cents: number;
  address: string;
  title: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  description: string | null;
  bedrooms: number | null;
  bathrooms: number | null;
  /** null exactly when `bathrooms` is */
  half_baths: number | null;
  square_feet: number | null;
  lot_square_feet: number | null;
  year_built: number | null;
  /** null exactly when `longitude` is */
  latitude: number | null;
  longitude: number | null;
}

/** Why a row is not taken. `reason` is one of a few sentences, `detail` the cell or line that it speaks of. */
export interface Refusal {
  column: ColumnName | null;
  reason: string;
  detail: string | null;
}

/** A cell that was left blank or changed in a row that was taken. */
export interface Note {
  column: ColumnName;
  reason: string;
}

export type ReadRow =
  | { ok: true; sourceId: string; values: RowValues; notes: Note[] }
  | { ok: false; refusal: Refusal };

export interface RowRules {
  columns: Columns;
  /** ids of the active property types by `typeKey` of their names */
  types: ReadonlyMap<string, number>;
  /** calendar year of the import */
  year: number;
}

/** Names of types match whatever their capitals, spaces and hyphens: 'multi family' is 'Multi-Family'. */
export const typeKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Reads one row. A row is refused only for what makes it unusable: its source_id, price, address or type, and damaged
 * text; any other unusable cell counts as blank and is noted (docs/importing.md has the rules for operators).
 */
export function readRow(cells: readonly string[], rules: RowRules): ReadRow {
  const { positions, width } = rules.columns;
  const cell = (name: ColumnName) => cells[positions.get(name) ?? -1] ?? '';
  const damaged = damage(cells, width, positions);
  if (damaged) return { ok: false, refusal: damaged };

  const refuse = (column: ColumnName, reason: string, detail = cell(column)): ReadRow => ({
    ok: false,
    refusal: { column, reason, detail: detail.trim() === '' ? null : detail },
  });
  const sourceId = oneLine(cell('source_id'));
  if (sourceId === '') return refuse('source_id', 'A source_id is required.');
  if (sourceId.length > 200) return refuse('source_id', 'A source_id has at most 200 characters.');
  if (isFormula(sourceId)) return refuse('source_id', 'Begins like a spreadsheet formula.');
  const price = priceCents(cell('price'));
  if ('blank' in price) return refuse('price', 'Price is required.');
  if ('wrong' in price) return refuse('price', price.wrong);
  const address = oneLine(cell('address'));
  if (address.length < 5) return refuse('address', 'Address must be at least 5 characters.');
  if (address.length > 200) return refuse('address', 'Address must be at most 200 characters.');
  if (isFormula(address)) return refuse('address', 'Begins like a spreadsheet formula.');
  const typeName = cell('property_type');
  if (typeName.trim() === '') return refuse('property_type', 'Property type is required.');
  const typeId = rules.types.get(typeKey(typeName));
  if (typeId === undefined) return refuse('property_type', 'Not an active property type.');

  const notes: Note[] = [];
  const values: RowValues = {
    type_id: typeId,
    price_cents: price.value,
    address: readableCase(address),
    ...wording(cell, notes),
    ...rooms(cell, notes),
    square_feet: kept('square_feet', area(cell('square_feet'), 10_000_000), notes),
    lot_square_feet: kept('lot_square_feet', area(cell('lot_square_feet'), 999_999_999_999), notes),
    year_built: kept('year_built', wholeNumber(cell('year_built'), 1600, rules.year + 3), notes),
    ...position(cell, notes),
  };
  return { ok: true, sourceId, values, notes };
}

type ReadCell = (name: ColumnName) => string;

function damage(
  cells: readonly string[],
  width: number,
  positions: ReadonlyMap<ColumnName, number>,
): Refusal | null {
  if (cells.length < width || cells.slice(width).some((extra) => extra.trim() !== '')) {
    const reason = 'The row has not as many cells as the first line.';
    return { column: null, reason, detail: `${cells.length} instead of ${width}` };
  }
  for (const [column, index] of positions) {
    const text = cells[index] ?? '';
    const hidden = hiddenCharacter(text);
    if (hidden) return { column, reason: 'Contains a control character.', detail: hidden };
    if (column !== 'description' && text.trim().includes('\n')) {
      return { column, reason: 'Goes on over lines: a quotation mark (") is not closed?', detail: text };
    }
    // The reader puts U+FFFD where bytes are no UTF-8.
    if (text.includes('\ufffd')) {
      return { column, reason: 'Is not UTF-8 text; save the file as "CSV UTF-8".', detail: text };
    }
  }
  return null;
}

/** The value of a cell; unusable ones become null and are noted. */
function kept<T>(column: ColumnName, cell: Cell<T>, notes: Note[]): T | null {
  if ('value' in cell) return cell.value;
  if ('wrong' in cell) notes.push({ column, reason: `${cell.wrong}, left blank` });
  return null;
}

function wording(cell: ReadCell, notes: Note[]) {
  const line = (column: ColumnName, least: number, most: number): string | null => {
    const text = oneLine(cell(column));
    if (text === '') return null;
    if (isFormula(text)) return kept(column, { wrong: 'begins like a spreadsheet formula' }, notes);
    if (text.length < least) return kept(column, { wrong: `shorter than ${least} characters` }, notes);
    if (text.length > most) return kept(column, { wrong: `longer than ${most} characters` }, notes);
    return text;
  };
  const city = line('city', 1, 100);
  const state = line('state', 1, 50);
  // A description may begin with '-': pages show it as text and exports neutralise it.
  const description = cell('description').trim();
  const tooLong = description.length > 10_000;
  if (tooLong) kept('description', { wrong: 'longer than 10,000 characters' }, notes);
  return {
    title: line('title', 2, 120),
    city: city && readableCase(city),
    state: state && (state.length === 2 ? state.toUpperCase() : state),
    zip: line('zip', 1, 20),
    description: tooLong || description === '' ? null : description,
  };
}

function rooms(cell: ReadCell, notes: Note[]) {
  const baths = kept('bathrooms', bathrooms(cell('bathrooms')), notes);
  if (baths?.rounded) notes.push({ column: 'bathrooms', reason: 'a quarter bathroom counts as a half one' });
  return {
    bedrooms: kept('bedrooms', wholeNumber(cell('bedrooms'), 0, 99), notes),
    bathrooms: baths ? baths.full : null,
    half_baths: baths ? baths.half : null,
  };
}

/** Both coordinates or none. */
function position(cell: ReadCell, notes: Note[]) {
  const latitude = kept('latitude', degrees(cell('latitude'), 90), notes);
  const longitude = kept('longitude', degrees(cell('longitude'), 180), notes);
  if (latitude !== null && longitude !== null && (latitude !== 0 || longitude !== 0))
    return { latitude, longitude };
  const given = cell('latitude').trim() !== '' || cell('longitude').trim() !== '';
  if (latitude !== null && longitude !== null) {
    notes.push({ column: 'latitude', reason: '0, 0 is no place, left blank' });
  } else if (given && (latitude !== null || longitude !== null)) {
    const column = latitude === null ? 'latitude' : 'longitude';
    notes.push({ column, reason: 'one coordinate without the other, both left blank' });
  }
  return { latitude: null, longitude: null };
}
