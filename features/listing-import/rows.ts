import { DAY } from '#platform/durations.ts';
import { oneLine } from '#platform/typed-text.ts';
import { cellText, hiddenCharacter, isFormula, isGuarded } from './cells.ts';
import { parsePoint, parseRooms, parseSizes } from './facts.ts';
import type { FieldName } from './fields.ts';
import { homeKey } from './home-key.ts';
import type { Mapping } from './mapping.ts';
import type { Note, Refusal } from './model.ts';
import { checkZip } from './places.ts';
import { parsePrice } from './prices.ts';
import { rowWords, type TypeWords } from './property-types.ts';
import { type ReadCell, rawCell, readLine } from './row-cells.ts';
import { stateCode } from './states.ts';
import { meaningOf, meaningOfSale, parseDay, type StatusMeaning } from './statuses.ts';
import { toTitleCase } from './title-case.ts';
import { splitAddress } from './whole-address.ts';

/** Values of a row by database column; null for blank cells. */
export interface RowValues {
  type_id: number;
  price_cents: number;
  address: string;
  title: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  neighborhood: string | null;
  mls_name: string | null;
  mls_number: string | null;
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

/** A row that can become a listing. */
export interface ParsedRow {
  sourceId: string;
  /** the id was put together from the number of an MLS, which another MLS may have given to another home */
  isNumbered: boolean;
  /** the id stands for another home earlier in the file */
  isRepeated: boolean;
  values: RowValues;
  /** what the source says of the market */
  market: Exclude<StatusMeaning, 'for_rent'>;
  /** when it was sold; null when it is not, or the file does not say when */
  soldAt: Date | null;
  /** the source's own word for its status, for messages */
  statusWord: string;
  /** the source's own words for the type and the subtype, in two lines */
  typeWords: string;
  /** what refuses the row, unless its listing is so already: a type that is off, a sale without its date, an address like a formula */
  doubts: readonly Refusal[];
  photoUrls: string[];
  notes: Note[];
}

/** A row with doubts is refused, unless its listing is so already. */
type RowResult = { ok: true; row: ParsedRow } | { ok: false; refusal: Refusal; row: ParsedRow | null };

export interface RowRules {
  mapping: Mapping;
  types: TypeWords;
  now: Date;
}

const MAX_PHOTOS = 50;

const MAX_ID_LENGTH = 200;
/** An id that is put together, as long as one may be; a character that this cuts in half becomes U+FFFD, as the database would have it. */
export const shortId = (id: string): string => id.slice(0, MAX_ID_LENGTH).toWellFormed();

/**
 * Parses one row. A row is refused only for an unusable id, price, address or type, damaged text, or when it is neither for sale nor sold;
 * any other unusable cell counts as blank and is noted (see docs/importing.md for the rules).
 */
export function parseRow(cells: readonly string[], rules: RowRules): RowResult {
  const { mapping } = rules;
  const raw = (name: FieldName) => rawCell(cells, mapping, name);
  const damaged = findDamage(cells, mapping);
  if (damaged) return { ok: false, refusal: damaged, row: null };
  const cell: ReadCell = (name) => cellText(raw(name));
  const refuse = (column: FieldName, reason: string, detail = raw(column)): RowResult => ({
    ok: false,
    refusal: { column, reason, detail: detail.trim() === '' ? null : detail },
    row: null,
  });

  const notes: Note[] = [];
  const given = oneLine(cell('source_id'));
  if (given.length > MAX_ID_LENGTH) return refuse('source_id', 'A source_id has at most 200 characters.');
  if (isFormula(given)) return refuse('source_id', 'Begins like a spreadsheet formula.');
  const place = parsePlace(cell, notes);
  const market = parseMarket(cell, rules.now);
  if ('reason' in market) return refuse(market.column, market.reason);
  const priced = priceColumn(mapping, market.meaning === 'sold');
  const priceCell = cell(priced);
  const price = parsePrice(priceCell);
  if ('blank' in price) return refuse(priced, 'Price is required.');
  if ('wrong' in price) return refuse(priced, price.wrong, priceCell);
  if (price.value.note) notes.push({ column: priced, reason: price.value.note });
  const { address } = place;
  if (address === '') return refuse('address', 'Address is required.');
  if (address.length < 5) return refuse('address', 'Address must be at least 5 characters.');
  if (address.length > 200) return refuse('address', 'Address must be at most 200 characters.');
  const typeName = oneLine(cell('property_type'));
  const subtype = oneLine(cell('property_subtype'));
  if (typeName === '' && subtype === '') return refuse('property_type', 'Property type is required.');
  const type = rules.types.find(typeName, subtype);
  const known = type.type;
  const doubts = market.doubt ? [market.doubt] : [];
  if (isFormula(address) && !isGuarded(raw('address')))
    doubts.push({ column: 'address', reason: 'Begins like a spreadsheet formula.', detail: raw('address') });
  const words = rowWords(typeName, subtype);
  if (known === null) return refuse('property_type', type.ok ? '' : type.reason, words);
  if (!type.ok) doubts.push({ column: 'property_type', reason: type.reason, detail: words });

  const texts = parseTexts(cell, notes);
  const values: RowValues = {
    type_id: known.id,
    price_cents: price.value.cents,
    address,
    ...texts,
    city: place.city,
    state: place.state,
    zip: place.zip,
    neighborhood: neighborhoodOf(cell, place.city, notes),
    ...parseRooms(cell, notes),
    ...parseSizes(cell, rules.now.getUTCFullYear(), notes),
    ...parsePoint(cell, place, notes),
  };
  const numbered = values.mls_number === null ? null : `${values.mls_name ?? ''}:${values.mls_number}`;
  const row: ParsedRow = {
    sourceId: given || numbered || shortId(`address:${homeKey(values)}`),
    isNumbered: given === '' && numbered !== null,
    isRepeated: false,
    values,
    market: market.meaning,
    soldAt: market.soldAt,
    statusWord: market.word,
    typeWords: `${typeName}\n${subtype}`,
    doubts,
    photoUrls: photosOf(raw('photo_urls')),
    notes,
  };
  const [refusal] = doubts;
  return refusal ? { ok: false, refusal, row } : { ok: true, row };
}

/**
 * The column with the price of a row: that of its sale for a sold home, else the asking price. The other one stands for it only where the file
 * has no column for the right one: a home is not on the market at the price of its last sale, and not sold at the price that was asked.
 */
function priceColumn({ columns, constants }: Mapping, isSold: boolean): FieldName {
  const [right, other] = isSold ? (['sold_price', 'price'] as const) : (['price', 'sold_price'] as const);
  return columns.has(right) || constants.has(right) ? right : other;
}

function findDamage(cells: readonly string[], { width, columns }: Mapping): Refusal | null {
  if (cells.length < width || cells.slice(width).some((extra) => extra.trim() !== '')) {
    const reason = 'The row has not as many cells as the first line.';
    return { column: null, reason, detail: `${cells.length} instead of ${width}` };
  }
  for (const [column, { index }] of columns) {
    const text = cells[index] ?? '';
    const hidden = hiddenCharacter(text);
    if (hidden) return { column, reason: 'Contains a control character.', detail: hidden };
    if (
      column !== 'description' &&
      column !== 'photo_urls' &&
      text.includes('\n') &&
      text.trim().includes('\n')
    ) {
      return { column, reason: 'Goes on over lines: a quotation mark (") is not closed?', detail: text };
    }
    // What is no character in the file's encoding was replaced by U+FFFD.
    if (text.includes('\ufffd'))
      return { column, reason: 'Is not UTF-8 text; save the file as "CSV UTF-8".', detail: text };
  }
  return null;
}

type Market =
  | { meaning: Exclude<StatusMeaning, 'for_rent'>; soldAt: Date | null; word: string; doubt?: Refusal }
  | { column: FieldName; reason: string };

/** What a row says of the market, from its status, its kind of sale and its sale date. Sold homes never count as for sale. */
function parseMarket(cell: ReadCell, now: Date): Market {
  const [status, saleType, date] = [
    oneLine(cell('status')),
    oneLine(cell('sale_type')),
    oneLine(cell('sold_date')),
  ];
  const byStatus = status === '' ? null : meaningOf(status);
  if (status !== '' && byStatus === null)
    return {
      column: 'status',
      reason: 'Not a known status. Known: Active, Pending, Sold, Withdrawn and words like them.',
    };
  const bySale = saleType === '' ? null : meaningOfSale(saleType);
  const word = status || saleType;
  if (byStatus === 'for_rent' || bySale === 'for_rent')
    return {
      column: bySale === 'for_rent' ? 'sale_type' : 'status',
      reason: 'The home is for rent, not for sale.',
    };
  // A home that is for sale may say when it was sold before.
  const isSold = bySale === 'sold' || byStatus === 'sold' || (byStatus === null && date !== '');
  if (!isSold) return { meaning: byStatus ?? 'for_sale', soldAt: null, word };
  const day = parseDay(date);
  if ('blank' in day) {
    const reason = 'The home is sold, and the date of its sale is missing.';
    return { meaning: 'sold', soldAt: null, word, doubt: { column: 'sold_date', reason, detail: null } };
  }
  if ('wrong' in day)
    return { column: 'sold_date', reason: 'The home is sold, and the date of its sale is not a date.' };
  if (day.value.getTime() > now.getTime() + DAY)
    return { column: 'sold_date', reason: 'The date of the sale is in the future.' };
  return {
    meaning: 'sold',
    soldAt: new Date(Math.min(day.value.getTime(), now.getTime())),
    word: word || 'Sold',
  };
}

interface ParsedPlace {
  address: string;
  city: string | null;
  state: string | null;
  zip: string | null;
}

/** The parts of the address, also from one cell with all of it, or from cells with its number, street and unit. */
function parsePlace(cell: ReadCell, notes: Note[]): ParsedPlace {
  const line = (column: FieldName, max: number) => readLine(cell, column, 1, max, notes);
  const written = oneLine(cell('address')) || streetOf(cell);
  const whole = written.includes(',') ? splitAddress(written) : null;
  const city = line('city', 100);
  const said = whole !== null && (city === null || sameText(city, whole.city)) ? whole : null;
  const street = withUnit(said ? said.street : written, oneLine(cell('unit')));
  const state = line('state', 50) ?? (said ? said.state : null);
  const code = state && (stateCode(state) ?? state);
  const zip = readZip(cell('zip') || (said ? said.zip : ''), code, notes);
  const named = city ?? (said ? said.city : null);
  return { address: toTitleCase(street), city: named && toTitleCase(named), state: code, zip };
}

const sameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function streetOf(cell: ReadCell): string {
  const parts: FieldName[] = [
    'street_number',
    'street_direction',
    'street_name',
    'street_suffix',
    'street_direction_after',
  ];
  if (cell('street_name') === '') return '';
  // A number that a spreadsheet stored as a decimal.
  return oneLine(parts.map((part) => cell(part).replace(/^(\d+)\.0+$/, '$1')).join(' '));
}

/** '12 Main St Unit 4' for '12 Main St' and '4', unless the address already ends with the unit. */
function withUnit(street: string, unit: string): string {
  const name = unit.replace(/^(?:#|unit|apt\.?|apartment|suite|ste\.?)\s*/i, '').replace(/^(\d+)\.0+$/, '$1');
  if (name === '' || name === '0' || street === '') return street;
  const ending = street
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  const wanted = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  if (wanted === '' || ending.endsWith(` ${wanted}`)) return street;
  return `${street} Unit ${name}`;
}

function readZip(cell: string, state: string | null, notes: Note[]): string | null {
  if (cell === '') return null;
  const checked = checkZip(oneLine(cell), state);
  if (!checked.ok) notes.push({ column: 'zip', reason: `${checked.reason}, left blank` });
  else if (checked.padded) notes.push({ column: 'zip', reason: 'got its leading zeros back' });
  return checked.ok ? checked.zip : null;
}

function parseTexts(cell: ReadCell, notes: Note[]) {
  const line = (column: FieldName, min: number, max: number) => readLine(cell, column, min, max, notes);
  // A description may begin with '-': pages show it as text, and exports escape it.
  const description = cell('description').replace(/\r\n?/g, '\n').trim();
  const tooLong = description.length > 10_000;
  if (tooLong) notes.push({ column: 'description', reason: 'longer than 10,000 characters, left blank' });
  return {
    title: line('title', 2, 120),
    description: tooLong || description === '' ? null : description,
    mls_name: line('mls_name', 1, 100),
    mls_number: line('mls_number', 1, 60),
  };
}

function neighborhoodOf(cell: ReadCell, city: string | null, notes: Note[]): string | null {
  const name = readLine(cell, 'neighborhood', 2, 100, notes);
  if (name === null || (city !== null && sameText(name, city))) return null;
  if (/^[\d\s.-]+$/.test(name)) {
    notes.push({ column: 'neighborhood', reason: 'a number is no neighborhood, left blank' });
    return null;
  }
  return toTitleCase(name);
}

/** The addresses of pictures in a cell, separated by spaces, commas, semicolons or bars. */
function photosOf(cell: string): string[] {
  const found = cell.match(/https?:\/\/[^\s|;"'<>[\]]+/gi) ?? [];
  const addresses = found
    .flatMap((one) => one.split(/,(?=https?:\/\/)/i))
    .map((one) => one.replace(/[,.)]+$/, ''))
    .filter((one) => one.length <= 2_000);
  return [...new Set(addresses)].slice(0, MAX_PHOTOS);
}
