import type { Rectangle, SearchCriteria } from './model.ts';

/** One thing that must hold of a listing: it has one of the lexemes, or one that begins with `beginning`. */
export interface Term {
  lexemes: string[];
  beginning: string | null;
  /** listings that have it, as far as the statistics know */
  entries: number;
}

/** Bounds for every filter; what is not asked for has bounds that everything keeps. */
export interface Filter {
  typeLow: number;
  typeHigh: number;
  priceLow: number;
  priceHigh: number;
  beds: number;
  baths: number;
  bbox: Rectangle | null;
}

const DEAREST = 99_999_999_999;
const MOST_SQUARES = 260;

export const noFilter: Filter = {
  typeLow: 0,
  typeHigh: 32_767,
  priceLow: 0,
  priceHigh: DEAREST,
  beds: -1,
  baths: -1,
  bbox: null,
};

export function filterOf(criteria: SearchCriteria): Filter {
  return {
    typeLow: criteria.typeId ?? 0,
    typeHigh: criteria.typeId ?? 32_767,
    priceLow: Math.max(0, criteria.minCents ?? 0),
    priceHigh: Math.min(DEAREST, criteria.maxCents ?? DEAREST),
    beds: criteria.minBeds || -1,
    baths: criteria.minBaths || -1,
    bbox: criteria.bbox,
  };
}

/** The literal of the database type search_filter. */
export function filterLiteral({ bbox, ...filter }: Filter): string {
  const { south, north, west, east } = bbox ?? { south: -999, north: 999, west: -999, east: 999 };
  return `(${[...Object.values(filter), south, north, west, east].join()})`;
}

/** A term that no listing can have. */
export const isImpossible = (term: Term): boolean => term.lexemes.length === 0 && term.beginning === null;

const quoted = (lexeme: string) => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;

/** The text of a tsquery that asks for all of the terms; null without any. */
export function queryText(terms: readonly Term[]): string | null {
  const parts = terms.map(({ lexemes, beginning }) => {
    const choices = lexemes.map(quoted);
    if (beginning !== null) choices.unshift(`${quoted(beginning)}:*`);
    return `(${choices.join(' | ')})`;
  });
  return parts.length ? parts.join(' & ') : null;
}

/**
 * The marked lexemes that hold of every listing in the filter (and of some beside it: prices and places fall into
 * classes), one group for each filter that was asked for.
 */
export function filterLexemes(filter: Filter): string[][] {
  const groups: string[][] = [];
  if (filter.typeLow === filter.typeHigh) groups.push([`=t${filter.typeLow}`]);
  if (filter.beds > 0) groups.push([`=b${Math.min(filter.beds, 9)}`]);
  if (filter.baths > 0) groups.push([`=h${Math.min(filter.baths, 9)}`]);
  if (filter.priceLow > 0 || filter.priceHigh < DEAREST) groups.push(priceClasses(filter));
  if (filter.bbox) groups.push(squares(filter.bbox));
  return groups;
}

/** Prices by their number of digits and first two digits ('=q845': from 45 to 45.99 million cents), or the first one. */
function priceClasses({ priceLow, priceHigh }: Filter): string[] {
  const fine = classesBetween(priceLow, priceHigh, 2, '=q');
  return fine.length <= 14 ? fine : classesBetween(priceLow, priceHigh, 1, '=p');
}

function classesBetween(low: number, high: number, digits: 1 | 2, mark: string): string[] {
  const found: string[] = [];
  const least = 10 ** (digits - 1);
  for (let length = String(low).length; length <= String(high).length; length++) {
    for (let leading = least; leading < least * 10; leading++) {
      const unit = 10 ** (length - digits);
      const first = Math.max(leading * unit, 10 ** (length - 1));
      if (first <= high && (leading + 1) * unit > low) found.push(`${mark}${length}${leading}`);
    }
  }
  return found;
}

/** The squares of the finest of three grids (2°, 1/4°, 1/32°) that covers the rectangle with few enough of them. */
function squares({ south, west, north, east }: Rectangle): string[] {
  for (const level of [2, 1, 0]) {
    const at = (degrees: number) => Math.floor((degrees * 8 ** level) / 2);
    const [bottom, top, left, right] = [at(south + 90), at(north + 90), at(west + 180), at(east + 180)];
    if (level > 0 && (top - bottom + 1) * (right - left + 1) > MOST_SQUARES) continue;
    const names: string[] = [];
    for (let y = bottom; y <= top; y++)
      for (let x = left; x <= right; x++) names.push(`=g${level}:${y}.${x}`);
    return names;
  }
  return [];
}
