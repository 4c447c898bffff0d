import { nobody } from '#platform/access.ts';
import { cutText } from '#platform/cut-text.ts';
import { type AmenityKey, amenityKeys } from './amenities.ts';
import { parseDrawnArea } from './drawn-area.ts';
import { asWords, type Reading, readIntents, type Understood } from './intents.ts';
import {
  MAX_TEXT_LENGTH,
  parseCursor,
  parseRectangle,
  type RangeName,
  type SearchableType,
  type SearchCriteria,
  sorts,
  type WordMatchMode,
} from './model.ts';
import type { SearchParameterName } from './parameters.ts';
import { searchText } from './words.ts';

export { marksOfListing } from './place-marks.ts';
export { stateNamed } from './states.ts';
export { queryWords } from './words.ts';

/** A type of each kind that people call by other words. */
const everyKind: SearchableType[] = 'Condo|Townhouse|Mobile|Single Family|Multi-Family|Lot|Commercial'
  .split('|')
  .map((name, id) => ({ id, name, slug: name, oldSlugs: [] }));

/** Whether the list may read a part of the text as a filter or an order, unless `words` is 1. */
export const isReadAsFilters = (text: string): boolean => readIntents(text, everyKind).understood.length > 0;

/** Maintenance is for jobs and the command line. */
export const mayRefreshStatistics = nobody;

/** Old searches are forgotten by a timer. */
export const mayForgetSearches = nobody;

/** The normalised words of a text: lower case, without accents and apostrophes. */
export const normalizedWords = (text: string): string[] => searchText(text).split(' ').filter(Boolean);

/** Substrings need at least this many letters; shorter ones only match as prefixes. */
export const MIN_SUBSTRING_LENGTH = 3;

/** Whether `word` matches one of a listing's words. */
export const matchesWord = (word: string, reading: WordMatchMode, listed: Iterable<string>): boolean => {
  const inside = reading === 'parts' && word.length >= MIN_SUBSTRING_LENGTH;
  for (const one of listed) if (inside ? one.includes(word) : one.startsWith(word)) return true;
  return false;
};

/** Parameters of which only those can be read that are described (`parameters.ts`). */
interface SearchParams {
  get(name: SearchParameterName): string | null;
  getAll(name: SearchParameterName): string[];
}

/**
 * Parses the criteria of a list's URL. Invalid parameters are ignored: an unknown type means all types, a malformed
 * number or rectangle none, an unknown sort newest. `min` and `max` are whole dollars of the buyer's total. What the text asks
 * for beside words (`readIntents`) is added to the filters, unless `words` is 1; of two bounds the narrower counts.
 * @param baseCents converts a bound on the buyer's total (cents) into one on the base price
 * @param reading what the text asks for, where that is known already (`readSearchText`)
 */
export function parseCriteria(
  asTyped: URLSearchParams,
  types: readonly SearchableType[],
  baseCents: BaseBounds = identityBounds,
  { words, asked }: Reading = readingOf(asTyped, types),
): SearchCriteria {
  const params: SearchParams = inOrder(asTyped).params;
  const dollars = (name: 'min' | 'max') => {
    const whole = parseWholeNumber(params.get(name), 1_000_000_000);
    return whole === null ? null : whole * 100;
  };
  const minCents = narrower(Math.max, dollars('min'), asked.minCents);
  const maxCents = narrower(Math.min, dollars('max'), asked.maxCents);
  const size = areas(params, 'sqft');
  const lot = areas(params, 'lot');
  const chosen = [...amenitiesOf(params), ...asked.amenities];
  const sort = params.get('sort')?.toLowerCase();
  return {
    text: words,
    typeId: findType(params.get('type') ?? '', types)?.id ?? asked.type?.id ?? null,
    minCents: minCents === null ? null : baseCents.atLeast(minCents),
    maxCents: maxCents === null ? null : baseCents.atMost(maxCents),
    minBeds: narrower(Math.max, parseWholeNumber(params.get('beds'), 99), asked.minBeds),
    minBaths: narrower(Math.max, parseWholeNumber(params.get('baths'), 99), asked.minBaths),
    minSqft: narrower(Math.max, size.min, asked.minSqft),
    maxSqft: narrower(Math.min, size.max, asked.maxSqft),
    minLotSqft: narrower(Math.max, lot.min, asked.minLotSqft),
    maxLotSqft: narrower(Math.min, lot.max, asked.maxLotSqft),
    minYear: narrower(Math.max, parseYear(params.get('year-min')), asked.minYear),
    maxYear: narrower(Math.min, parseYear(params.get('year-max')), asked.maxYear),
    amenities: amenityKeys.filter((key) => chosen.includes(key)),
    keywords: tidyText(params.get('keywords')),
    sort: sorts.find((known) => known === sort) ?? asked.sort ?? 'newest',
    page: Math.max(1, parseWholeNumber(params.get('page'), 1_000_000) ?? 1),
    after: parseCursor(params.get('after')),
    bbox: parseRectangle(params.get('bbox')),
    area: parseDrawnArea(params.get('area')),
  };
}

/** What the text of a list's URL asks for, and which parts of it were understood; all of it is words when `words` is 1. */
export function readingOf(params: SearchParams, types: readonly SearchableType[]): Reading {
  const text = textOf(params);
  return params.get('words') === '1' ? asWords(text) : readIntents(text, types);
}

/** What was understood of the text and holds: a type or an order of the URL takes the place of another one that the text names. */
export const understoodInEffect = (
  { understood, asked }: Reading,
  { typeId, sort }: SearchCriteria,
): Understood[] =>
  understood.filter(({ asks }) => {
    if (asks === 'type') return asked.type?.id === typeId;
    return asks !== 'sort' || asked.sort === sort;
  });

/** The text of a list's URL. */
export const textOf = (params: SearchParams): string => tidyText(params.get('q'));

const parseYear = (value: string | null) => parseWholeNumber(value, 9_999);
const ranges: readonly [
  RangeName,
  SearchParameterName,
  SearchParameterName,
  (value: string | null) => number | null,
][] = [
  ['price', 'min', 'max', (value) => parseWholeNumber(value, 1_000_000_000)],
  ['sqft', 'sqft-min', 'sqft-max', parseArea],
  ['lot', 'lot-min', 'lot-max', parseArea],
  ['year', 'year-min', 'year-max', parseYear],
];

/** The parameters with the bounds of each range in order, and the ranges that had a lower bound above the upper one. */
export function inOrder(asTyped: URLSearchParams): { params: URLSearchParams; swapped: RangeName[] } {
  const params = new URLSearchParams(asTyped);
  const swapped = ranges.flatMap(([name, low, high, parse]) => {
    const [min, max] = [params.get(low), params.get(high)];
    const [least, most] = [parse(min), parse(max)];
    if (min === null || max === null || least === null || most === null || least <= most) return [];
    params.set(low, max);
    params.set(high, min);
    return [name];
  });
  return { params, swapped };
}

const tidyText = (text: string | null): string =>
  cutText(text ?? '', MAX_TEXT_LENGTH)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();

/** The known amenities of the URL, each once, in their own order. */
function amenitiesOf(params: SearchParams): AmenityKey[] {
  const asked = params.getAll('amenity').map((value) => value.trim().toLowerCase());
  return amenityKeys.filter((key) => asked.includes(key));
}

/** Converts bounds on the buyer's total into ones on the base price, in cents. */
export interface BaseBounds {
  atLeast(total: number): number;
  atMost(total: number): number;
}

/** `NAME-min` and `NAME-max` in square feet. */
const areas = (params: SearchParams, name: 'sqft' | 'lot') => ({
  min: parseArea(params.get(`${name}-min`)),
  max: parseArea(params.get(`${name}-max`)),
});

/** Square feet, also in acres ('0.5 acres', '2 ac'); null for anything else. */
export function parseArea(value: string | null | undefined): number | null {
  const [, digits = '', acres] =
    /^(\d{1,3}(?:,\d{3})+|\d{0,9}(?:\.\d{1,4})?)\s*(?:(acres?|ac)|sq\.?\s*ft\.?|sqft|sf)?$/i.exec(
      value?.trim() ?? '',
    ) ?? [];
  const number = Number(digits.replaceAll(',', ''));
  if (digits === '' || digits === '.') return null;
  return Math.min(MAX_AREA, Math.round(acres ? number * SQUARE_FEET_PER_ACRE : number));
}

const SQUARE_FEET_PER_ACRE = 43_560;
/** Above every home and lot (1,000,000,000 square feet are 36 square miles), and within the columns of a saved search. */
const MAX_AREA = 1_000_000_000;

const narrower = (choose: (...of: number[]) => number, one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : choose(one, other);

const identityBounds = { atLeast: (total: number) => total, atMost: (total: number) => total };

/** Finds a type by name, slug or former slug, ignoring case; a current name or slug wins over a former one. */
export function findType<T extends SearchableType>(value: string, types: readonly T[]): T | undefined {
  const wanted = value.trim().toLowerCase();
  if (!wanted) return undefined;
  return (
    types.find((type) => type.name.toLowerCase() === wanted || type.slug.toLowerCase() === wanted) ??
    types.find((type) => type.oldSlugs.some((slug) => slug.toLowerCase() === wanted))
  );
}

function parseWholeNumber(value: string | null, most: number): number | null {
  const text = value?.trim() ?? '';
  if (!/^\d{1,12}$/.test(text)) return null;
  const number = Number(text);
  return number <= most ? number : null;
}
