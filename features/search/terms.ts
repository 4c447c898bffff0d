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
  bbox: Rectangle | null;
}

const MAX_PRICE_CENTS = 99_999_999_999;
const MAX_SQUARES = 48;

export const noFilter: Filter = {
  typeLow: 0,
  typeHigh: 32_767,
  priceLow: 0,
  priceHigh: MAX_PRICE_CENTS,
  beds: -1,
  baths: -1,
  bbox: null,
};

export function filterOf(criteria: SearchCriteria): Filter {
  return {
    typeLow: criteria.typeId ?? 0,
    typeHigh: criteria.typeId ?? 32_767,
    priceLow: Math.max(0, criteria.minCents ?? 0),
    priceHigh: Math.min(MAX_PRICE_CENTS, criteria.maxCents ?? MAX_PRICE_CENTS),
    beds: criteria.minBeds || -1,
    baths: criteria.minBaths || -1,
    bbox: criteria.bbox,
  };
}

/** Formats the filter as a literal of the database type search_filter. */
export function filterLiteral({ bbox, ...filter }: Filter): string {
  const { south, north, west, east } = bbox ?? { south: -999, north: 999, west: -999, east: 999 };
  return `(${[...Object.values(filter), south, north, west, east].join()})`;
}

/** True if nothing can pass: the lowest price is above the highest. */
export const isUnsatisfiable = ({ priceLow, priceHigh }: Filter): boolean => priceLow > priceHigh;

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
  return terms;
}

/** Number classes for indexing ranges: by number of digits and first digit, at the bounds of a range by two digits. */
interface Classes {
  coarse: string;
  fine: string;
  /** numbers of digits that have classes */
  digits: { from: number; to: number };
  /** classes for all shorter and all longer numbers; null where there is none */
  shorter: string | null;
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
  shorter: null,
  longer: '=s8',
};

export const priceClasses = (low: number, high: number): string[] => classesOf(PRICES, low, high);

/** Classes of everything from `low` square feet; null below the smallest class. */
export const sizeClasses = (low: number): string[] | null =>
  low < 10 ** (SIZES.digits.from - 1) ? null : classesOf(SIZES, Math.floor(low), Infinity);

function classesOf(classes: Classes, low: number, high: number): string[] {
  const { coarse, digits, shorter, longer } = classes;
  const found = shorter !== null && low < 10 ** (digits.from - 1) ? [shorter] : [];
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
