import { MAX_PRICE_CENTS } from '#features/listings/rules.ts';
import { amenitiesOfBits, amenityBits } from './amenities.ts';
import { areaLiteral, boundsOf, type DrawnArea } from './drawn-area.ts';
import type { Rectangle, SearchCriteria } from './model.ts';

/** A condition on a listing: it has one of the lexemes, or one that starts with `beginning`. */
export interface Term {
  lexemes: string[];
  beginning: string | null;
  /** estimated number of listings that match */
  entries: number;
}

/** Bounds for every filter; unset filters have bounds that include everything. */
export interface Filter {
  typeLow: number;
  typeHigh: number;
  priceLow: number;
  priceHigh: number;
  beds: number;
  baths: number;
  /** includes the bounds of the area */
  bbox: Rectangle | null;
  /** drawn on the map */
  area: DrawnArea | null;
  /** square feet */
  sizeLow: number;
  sizeHigh: number;
  lotLow: number;
  lotHigh: number;
  yearLow: number;
  yearHigh: number;
  /** bits (`amenityBits`) */
  amenities: number;
}

const MAX_SQUARES = 48;
/** What is unknown is stored as this, so that any lower bound excludes it. */
const UNKNOWN = -1;
const MAX_AREA = 1e15;
const MAX_YEAR = 32_767;
/** No listing was built before or after. */
const FIRST_YEAR = 1_600;
const LAST_YEAR = 2_200;

export const noFilter: Filter = {
  typeLow: 0,
  typeHigh: 32_767,
  priceLow: 0,
  priceHigh: MAX_PRICE_CENTS,
  beds: -1,
  baths: -1,
  bbox: null,
  area: null,
  sizeLow: UNKNOWN,
  sizeHigh: MAX_AREA,
  lotLow: UNKNOWN,
  lotHigh: MAX_AREA,
  yearLow: UNKNOWN,
  yearHigh: MAX_YEAR,
  amenities: 0,
};

/** What is unknown is outside of a range with any bound. */
const range = (low: number | null, high: number | null, most: number): [number, number] =>
  low === null && high === null ? [UNKNOWN, most] : [low ?? 0, Math.min(high ?? most, most)];

export function filterOf(criteria: SearchCriteria): Filter {
  const [sizeLow, sizeHigh] = range(criteria.minSqft, criteria.maxSqft, MAX_AREA);
  const [lotLow, lotHigh] = range(criteria.minLotSqft, criteria.maxLotSqft, MAX_AREA);
  const [yearLow, yearHigh] = range(criteria.minYear, criteria.maxYear, MAX_YEAR);
  return {
    typeLow: criteria.typeId ?? 0,
    typeHigh: criteria.typeId ?? 32_767,
    priceLow: Math.max(0, criteria.minCents ?? 0),
    priceHigh: Math.min(MAX_PRICE_CENTS, criteria.maxCents ?? MAX_PRICE_CENTS),
    beds: criteria.minBeds || -1,
    baths: criteria.minBaths || -1,
    bbox: boundsOf(criteria),
    area: criteria.area,
    sizeLow,
    sizeHigh,
    lotLow,
    lotHigh,
    yearLow,
    yearHigh,
    amenities: amenityBits(criteria.amenities),
  };
}

/** Formats the filter as a literal of the database type search_filter. */
export function filterLiteral(filter: Filter): string {
  const { south, north, west, east } = filter.bbox ?? { south: -999, north: 999, west: -999, east: 999 };
  const { typeLow, typeHigh, priceLow, priceHigh, beds, baths } = filter;
  const { sizeLow, sizeHigh, lotLow, lotHigh, yearLow, yearHigh, amenities, area } = filter;
  const rooms = [typeLow, typeHigh, priceLow, priceHigh, beds, baths];
  return `(${[...rooms, south, north, west, east, sizeLow, sizeHigh, lotLow, lotHigh, yearLow, yearHigh, amenities].join()},${area ? `"${areaLiteral(area)}"` : ''})`;
}

/** True if nothing can pass: a lower bound is above the upper one, or no listing is that old or new. */
export const isUnsatisfiable = (filter: Filter): boolean =>
  filter.yearLow > LAST_YEAR ||
  filter.yearHigh < FIRST_YEAR ||
  filter.priceLow > filter.priceHigh ||
  filter.sizeLow > filter.sizeHigh ||
  filter.lotLow > filter.lotHigh ||
  isEmptyRectangle(filter.bbox) ||
  filter.yearLow > filter.yearHigh;

/** A part of the map and an area that is elsewhere have nothing in common. */
const isEmptyRectangle = (bbox: Rectangle | null): boolean =>
  bbox !== null && (bbox.south > bbox.north || bbox.west > bbox.east);

/** True if no listing can match. */
export const isImpossible = (term: Term): boolean => term.lexemes.length === 0 && term.beginning === null;

const quoted = (lexeme: string) => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;

/** A tsquery that requires all terms; null without any. */
export function queryText(terms: readonly [Term, ...Term[]]): string;
export function queryText(terms: readonly Term[]): string | null;
export function queryText(terms: readonly Term[]): string | null {
  const parts = terms.map(({ lexemes, beginning }) => {
    const choices = lexemes.map(quoted);
    if (beginning !== null) choices.unshift(`${quoted(beginning)}:*`);
    return `(${choices.join(' | ')})`;
  });
  return parts.length ? parts.join(' & ') : null;
}

/** Index lexemes of which every listing in the filter has at least one, and the part of the filter they cover. */
interface FilterTerm {
  lexemes: string[];
  part: Partial<Filter>;
}

/** One term for each filter that is set; prices and places are covered by classes that extend beyond their bounds. */
export function filterTerms(filter: Filter): FilterTerm[] {
  const { typeLow, typeHigh, beds, baths, priceLow, priceHigh, bbox } = filter;
  const terms: FilterTerm[] = [];
  const oneType = typeLow === typeHigh;
  const type = oneType ? { typeLow, typeHigh } : {};
  const mark = oneType ? `=t${typeLow}` : '=';
  if (beds > 0) terms.push({ lexemes: [`${mark}b${Math.min(beds, 9)}`], part: { ...type, beds } });
  if (baths > 0) terms.push({ lexemes: [`${mark}h${Math.min(baths, 9)}`], part: { ...type, baths } });
  if (oneType && terms.length === 0) terms.push({ lexemes: [mark], part: type });
  if (priceLow > 0 || priceHigh < MAX_PRICE_CENTS) {
    terms.push({ lexemes: priceClasses(priceLow, priceHigh), part: { priceLow, priceHigh } });
  }
  if (bbox) terms.push(squares(bbox));
  const { sizeLow, sizeHigh, lotLow, lotHigh, yearLow, yearHigh, amenities } = filter;
  if (sizeLow > UNKNOWN)
    terms.push({ lexemes: classesOf(SIZES, sizeLow, sizeHigh), part: { sizeLow, sizeHigh } });
  if (lotLow > UNKNOWN) terms.push({ lexemes: classesOf(LOTS, lotLow, lotHigh), part: { lotLow, lotHigh } });
  if (yearLow > UNKNOWN) terms.push({ lexemes: years(yearLow, yearHigh), part: { yearLow, yearHigh } });
  for (const key of amenitiesOfBits(amenities))
    terms.push({ lexemes: [`=m:${key}`], part: { amenities: amenityBits([key]) } });
  return terms;
}

/** Number classes for indexing ranges: by number of digits and first digit, at the bounds of a range by two digits. */
interface Classes {
  coarse: string;
  fine: string;
  /** numbers of digits that have classes */
  digits: { from: number; to: number };
  /** classes for all shorter and all longer numbers */
  shorter: string;
  longer: string;
}

/** '=p84' is from 40 to 49.99 million cents, '=q845' from 45 to 45.99 million. */
const PRICES: Classes = {
  coarse: '=p',
  fine: '=q',
  digits: { from: 7, to: 9 },
  shorter: '=p0',
  longer: '=p10',
};
/** '=s42' is from 2,000 to 2,999 square feet, '=r428' from 2,800 to 2,899. */
const SIZES: Classes = {
  coarse: '=s',
  fine: '=r',
  digits: { from: 3, to: 7 },
  shorter: '=s0',
  longer: '=s8',
};
/** '=l52' is from 20,000 to 29,999 square feet of land, '=o528' from 28,000 to 28,999. */
const LOTS: Classes = {
  coarse: '=l',
  fine: '=o',
  digits: { from: 3, to: 8 },
  shorter: '=l0',
  longer: '=l9',
};

export const priceClasses = (low: number, high: number): string[] => classesOf(PRICES, low, high);

/** Classes of everything from `low` square feet; null below the smallest class. */
export const sizeClasses = (low: number): string[] | null =>
  low < 10 ** (SIZES.digits.from - 1) ? null : classesOf(SIZES, Math.floor(low), Infinity);

function classesOf(classes: Classes, low: number, high: number): string[] {
  const { coarse, digits, shorter, longer } = classes;
  const found = low < 10 ** (digits.from - 1) ? [shorter] : [];
  for (let length = digits.from; length <= digits.to; length++) {
    for (let digit = 1; digit <= 9; digit++) {
      const [from, to] = [digit * 10 ** (length - 1), (digit + 1) * 10 ** (length - 1) - 1];
      if (from > high || to < low) continue;
      if (from >= low && to <= high) found.push(`${coarse}${length}${digit}`);
      else found.push(...finerClasses(classes, length, digit, low, high));
    }
  }
  return high >= 10 ** digits.to ? [...found, longer] : found;
}

function finerClasses({ fine }: Classes, length: number, digit: number, low: number, high: number): string[] {
  const unit = 10 ** (length - 2);
  const leading = Array.from({ length: 10 }, (_, second) => digit * 10 + second);
  return leading
    .filter((digits) => digits * unit <= high && (digits + 1) * unit > low)
    .map((digits) => `${fine}${length}${digits}`);
}

/** Years one by one at the ends of the range, decades between. */
function years(low: number, high: number): string[] {
  const last = Math.min(high, LAST_YEAR);
  const found: string[] = [];
  for (let year = Math.max(low, FIRST_YEAR); year <= last; ) {
    const whole = year % 10 === 0 && year + 9 <= last;
    found.push(whole ? `=yd${year / 10}` : `=y${year}`);
    year += whole ? 10 : 1;
  }
  return found;
}

/** The squares of the finest of four grids (2°, 1/2°, 1/8°, 1/32°) that covers the rectangle with few squares. */
function squares({ south, west, north, east }: Rectangle): FilterTerm {
  let level = 3;
  const at = (degrees: number) => Math.floor((degrees * 4 ** level) / 2);
  const rows = () => at(north + 90) - at(south + 90) + 1;
  const columns = () => at(east + 180) - at(west + 180) + 1;
  while (level > 0 && rows() * columns() > MAX_SQUARES) level--;
  const [bottom, left] = [at(south + 90), at(west + 180)];
  const lexemes: string[] = [];
  for (let y = bottom; y < bottom + rows(); y++) {
    for (let x = left; x < left + columns(); x++) lexemes.push(`=g${level}:${y}.${x}`);
  }
  const side = 2 / 4 ** level;
  const covered = {
    south: bottom * side - 90,
    west: left * side - 180,
    north: (bottom + rows()) * side - 90,
    east: (left + columns()) * side - 180,
  };
  return { lexemes, part: { bbox: covered } };
}
