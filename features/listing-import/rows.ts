import { parseArea, parsePriceCents } from '#features/listings/rules.ts';
import { type Cell, oneLine, parseWholeNumber } from '#platform/typed-text.ts';
import { hiddenCharacter, isFormula, parseBathrooms, parseDegrees } from './cells.ts';
import type { ColumnName, Columns } from './columns.ts';
import { toTitleCase } from './title-case.ts';

/** Values of a row by database column; null for blank cells. */
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

/** Why a row is refused. `reason` is one of a few fixed sentences, `detail` the offending cell or line. */
export interface Refusal {
  column: ColumnName | null;
  reason: string;
  detail: string | null;
}

/** A cell that was ignored or changed in an accepted row. */
export interface Note {
  column: ColumnName;
  reason: string;
}

type RowResult =
  | { ok: true; sourceId: string; values: RowValues; notes: Note[] }
  | { ok: false; refusal: Refusal };

export interface RowRules {
  columns: Columns;
  /** ids of the active property types by `typeKey` of their names */
  types: ReadonlyMap<string, number>;
  /** calendar year of the import */
  year: number;
}

/** Matches type names regardless of case, spaces and hyphens: 'multi family' is 'Multi-Family'. */
export const typeKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Parses one row. A row is refused only for an unusable source_id, price, address or type, or damaged text; any other
 * unusable cell counts as blank and is noted (see docs/importing.md for the rules).
 */
export function parseRow(cells: readonly string[], rules: RowRules): RowResult {
  const { positions, width } = rules.columns;
  const cell = (name: ColumnName) => cells[positions.get(name) ?? -1] ?? '';
  const damaged = findDamage(cells, width, positions);
  if (damaged) return { ok: false, refusal: damaged };

  const refuse = (column: ColumnName, reason: string, detail = cell(column)): RowResult => ({
    ok: false,
    refusal: { column, reason, detail: detail.trim() === '' ? null : detail },
  });
  const sourceId = oneLine(cell('source_id'));
  if (sourceId === '') return refuse('source_id', 'A source_id is required.');
  if (sourceId.length > 200) return refuse('source_id', 'A source_id has at most 200 characters.');
  if (isFormula(sourceId)) return refuse('source_id', 'Begins like a spreadsheet formula.');
  const price = parsePriceCents(cell('price'));
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
    address: toTitleCase(address),
    ...parseTexts(cell, notes),
    ...parseRooms(cell, notes),
    square_feet: valueOrNull('square_feet', parseArea(cell('square_feet'), 10_000_000), notes),
    lot_square_feet: valueOrNull(
      'lot_square_feet',
      parseArea(cell('lot_square_feet'), 999_999_999_999),
      notes,
    ),
    year_built: valueOrNull('year_built', parseWholeNumber(cell('year_built'), 1600, rules.year + 3), notes),
    ...parseCoordinates(cell, notes),
  };
  return { ok: true, sourceId, values, notes };
}

type ReadCell = (name: ColumnName) => string;

function findDamage(
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
    // `readCsv` replaces invalid UTF-8 with U+FFFD.
    if (text.includes('\ufffd')) {
      return { column, reason: 'Is not UTF-8 text; save the file as "CSV UTF-8".', detail: text };
    }
  }
  return null;
}

/** The value of a cell; an unusable one becomes null with a note. */
function valueOrNull<T>(column: ColumnName, cell: Cell<T>, notes: Note[]): T | null {
  if ('value' in cell) return cell.value;
  if ('wrong' in cell) notes.push({ column, reason: `${cell.wrong}, left blank` });
  return null;
}

function parseTexts(cell: ReadCell, notes: Note[]) {
  const line = (column: ColumnName, min: number, max: number): string | null => {
    const text = oneLine(cell(column));
    if (text === '') return null;
    if (isFormula(text)) return valueOrNull(column, { wrong: 'begins like a spreadsheet formula' }, notes);
    if (text.length < min) return valueOrNull(column, { wrong: `shorter than ${min} characters` }, notes);
    if (text.length > max) return valueOrNull(column, { wrong: `longer than ${max} characters` }, notes);
    return text;
  };
  const city = line('city', 1, 100);
  const state = line('state', 1, 50);
  // A description may begin with '-': pages show it as text, and exports escape it.
  const description = cell('description').trim();
  const tooLong = description.length > 10_000;
  if (tooLong) valueOrNull('description', { wrong: 'longer than 10,000 characters' }, notes);
  return {
    title: line('title', 2, 120),
    city: city && toTitleCase(city),
    state: state && (state.length === 2 ? state.toUpperCase() : state),
    zip: line('zip', 1, 20),
    description: tooLong || description === '' ? null : description,
  };
}

function parseRooms(cell: ReadCell, notes: Note[]) {
  const baths = valueOrNull('bathrooms', parseBathrooms(cell('bathrooms')), notes);
  if (baths?.rounded) notes.push({ column: 'bathrooms', reason: 'a quarter bathroom counts as a half one' });
  return {
    bedrooms: valueOrNull('bedrooms', parseWholeNumber(cell('bedrooms'), 0, 99), notes),
    bathrooms: baths ? baths.full : null,
    half_baths: baths ? baths.half : null,
  };
}

/** Both coordinates or none. */
function parseCoordinates(cell: ReadCell, notes: Note[]) {
  const latitude = valueOrNull('latitude', parseDegrees(cell('latitude'), 90), notes);
  const longitude = valueOrNull('longitude', parseDegrees(cell('longitude'), 180), notes);
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
