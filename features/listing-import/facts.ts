import { parseArea } from '#features/listings/rules.ts';
import { type Cell, parseDecimal, parseWholeNumber } from '#platform/typed-text.ts';
import { dotted, parseBathrooms, parseDegrees, withoutUnit } from './cells.ts';
import type { FieldName } from './fields.ts';
import type { Note } from './model.ts';
import { checkPoint } from './places.ts';
import { type ReadCell, valueOrNull } from './row-cells.ts';

const SQUARE_FEET_PER_ACRE = 43_560;
const MAX_SQUARE_FEET = 10_000_000;
const MAX_LOT = 999_999_999_999;

/** Bedrooms and bathrooms; '3 bds' counts as 3, a studio as 0. */
export function parseRooms(cell: ReadCell, notes: Note[]) {
  const number = (column: FieldName) =>
    dotted(cell(column).replace(/\s*(?:b[dr]s?|bed(?:room)?s?|ba|bath(?:room)?s?)\.?$/i, ''));
  const bedrooms = /^studio$/i.test(cell('bedrooms'))
    ? 0
    : valueOrNull('bedrooms', parseWholeNumber(number('bedrooms'), 0, 99), notes);
  const count = (column: FieldName) => valueOrNull(column, parseWholeNumber(number(column), 0, 99), notes);
  const full = count('full_baths');
  if (full !== null) {
    const [half, threeQuarters] = [count('half_baths') ?? 0, count('three_quarter_baths') ?? 0];
    return { bedrooms, bathrooms: full, half_baths: Math.min(99, half + threeQuarters) };
  }
  const baths = valueOrNull('bathrooms', parseBathrooms(number('bathrooms')), notes);
  if (baths?.rounded) notes.push({ column: 'bathrooms', reason: 'a quarter bathroom counts as a half one' });
  return { bedrooms, bathrooms: baths ? baths.full : null, half_baths: baths ? baths.half : null };
}

/** Areas and the year; zero, which no home has, counts as blank. */
export function parseSizes(cell: ReadCell, year: number, notes: Note[]) {
  const yearBuilt = cell('year_built');
  return {
    square_feet: valueOrNull('square_feet', areaOf(cell('square_feet'), MAX_SQUARE_FEET), notes),
    lot_square_feet: lotOf(cell, notes),
    year_built: /^0+(?:\.0*)?$/.test(yearBuilt)
      ? null
      : valueOrNull('year_built', parseWholeNumber(yearBuilt, 1600, year + 3), notes),
  };
}

function areaOf(cell: string, max: number): Cell<number> {
  const { text, acres } = withoutUnit(cell);
  if (acres) return acresOf(text, max);
  const area = parseArea(dotted(text), max);
  return 'value' in area && area.value === 0 ? { blank: true } : area;
}

function acresOf(text: string, max: number): Cell<number> {
  const acres = parseDecimal(dotted(text), 0, Math.floor(max / SQUARE_FEET_PER_ACRE), 15);
  if (!('value' in acres)) return acres;
  return acres.value === 0
    ? { blank: true }
    : parseArea((acres.value * SQUARE_FEET_PER_ACRE).toFixed(2), max);
}

/** The lot from square feet, acres, or a size with its unit beside it, whichever the row has. */
function lotOf(cell: ReadCell, notes: Note[]): number | null {
  const feet = valueOrNull('lot_square_feet', areaOf(cell('lot_square_feet'), MAX_LOT), notes);
  if (feet !== null) return feet;
  const acres = valueOrNull('lot_acres', acresOf(withoutUnit(cell('lot_acres')).text, MAX_LOT), notes);
  if (acres !== null) return acres;
  const size = cell('lot_size');
  if (size === '') return null;
  const unit = cell('lot_units').toLowerCase();
  if (/^ac/.test(unit)) return valueOrNull('lot_size', acresOf(size, MAX_LOT), notes);
  if (/^(?:sq|ft|feet|sf)/.test(unit) || withoutUnit(size).text !== size)
    return valueOrNull('lot_size', areaOf(size, MAX_LOT), notes);
  notes.push({ column: 'lot_size', reason: 'its unit is not known, left blank' });
  return null;
}

/** Both coordinates or none, checked against the state or ZIP code of the row. */
export function parsePoint(
  cell: ReadCell,
  place: { state: string | null; zip: string | null },
  notes: Note[],
): { latitude: number | null; longitude: number | null } {
  const none = { latitude: null, longitude: null };
  const [north, east] = degreesOf(cell);
  const latitude = valueOrNull('latitude', parseDegrees(north, 180), notes);
  const longitude = valueOrNull('longitude', parseDegrees(east, 180), notes);
  if (latitude === null || longitude === null) {
    if (latitude !== null || longitude !== null) {
      const column = latitude === null ? 'latitude' : 'longitude';
      notes.push({ column, reason: 'one coordinate without the other, both left blank' });
    }
    return none;
  }
  if (latitude === 0 && longitude === 0) {
    notes.push({ column: 'latitude', reason: '0, 0 is no place, left blank' });
    return none;
  }
  const checked = checkPoint(latitude, longitude, place.state, place.zip);
  if (!checked.ok) {
    const where = place.state ? 'in the state' : 'near the ZIP code';
    const isNone = Math.abs(latitude) > 90 && place.state === null && place.zip === null;
    notes.push({
      column: 'latitude',
      reason: isNone ? 'not between -90 and 90, left blank' : `not ${where}, left blank`,
    });
    return none;
  }
  if (checked.correction) notes.push({ column: 'latitude', reason: checked.correction });
  return checked.point;
}

/** Latitude and longitude as text, also from one cell: 'POINT (-72.3 43.6)' has the longitude first, '(43.6, -72.3)' last. */
function degreesOf(cell: ReadCell): [latitude: string, longitude: string] {
  const [latitude, longitude] = [cell('latitude'), cell('longitude')];
  const both = cell('coordinates');
  if (latitude !== '' || longitude !== '' || both === '') return [latitude, longitude];
  const [, point, first = '', second = ''] =
    /(point)?\s*\(?\s*(-?\d{1,3}(?:\.\d+)?)[\s,]+(-?\d{1,3}(?:\.\d+)?)\s*\)?\s*$/i.exec(both) ?? [];
  return point ? [second, first] : [first, second];
}
