import type { Insertable, Selectable } from 'kysely';
import {
  amenitiesOfBits,
  amenityBits,
  areaLiteral,
  areaOfLiteral,
  boundsOf,
  boundsOfArea,
  formatArea,
  formatRectangle,
  type SearchCriteria,
  type SearchMeaning,
} from '#features/search/model.ts';
import { isReadAsFilters, MIN_SUBSTRING_LENGTH, queryWords } from '#features/search/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { PropertiesQuery } from '#routing/paths.ts';
import { type DescribedCriteria, describeCriteria } from './rules.ts';

type Row = Selectable<DB['saved_searches']>;
/** The columns that hold the search criteria. */
export type CriteriaRow = Pick<
  Row,
  | 'text'
  | 'type_id'
  | 'min_total_cents'
  | 'max_total_cents'
  | 'min_beds'
  | 'min_baths'
  | 'min_square_feet'
  | 'max_square_feet'
  | 'min_lot_square_feet'
  | 'max_lot_square_feet'
  | 'min_year'
  | 'max_year'
  | 'amenities'
  | 'keywords'
  | 'south'
  | 'west'
  | 'north'
  | 'east'
  | 'area'
>;

/** Stored when there is no maximum price. */
const NO_MAX_CENTS = Number.MAX_SAFE_INTEGER;
/** Stored where the size, the lot or the year has no upper bound; a lower bound of 0 excludes what is unknown. */
const NO_MAX = { size: 2_147_483_647, lot: Number.MAX_SAFE_INTEGER, year: 32_767 };
const NO_MIN = -1;
const NO_BOUNDS = { south: -999, west: -999, north: 999, east: 999 };

/**
 * The columns of a saved search. Its price bounds are the buyer's totals including fees, so that they stay right when
 * the fees change.
 * @param totals the criteria with prices as the buyer entered them
 */
export function toCriteriaRow(
  totals: SearchCriteria,
  { words, shown, reading, whole, rarest, places, placeKey }: SearchMeaning,
) {
  const key = placeKey ?? (rarest === null ? '' : indexKey(rarest, reading));
  return {
    text: textOf(shown, totals),
    words: words.toSorted(),
    places: places.map(({ marks }) => marks.join(MARK_SEPARATOR)).sort(),
    reading,
    key_word: key,
    rest: remainingTerms(words, placeKey === null ? rarest : null, reading, whole),
    type_id: totals.typeId ?? 0,
    min_total_cents: totals.minCents ?? 0,
    max_total_cents: totals.maxCents ?? NO_MAX_CENTS,
    min_beds: totals.minBeds || -1,
    min_baths: totals.minBaths || -1,
    min_square_feet: lowest(totals.minSqft, totals.maxSqft),
    max_square_feet: Math.min(totals.maxSqft ?? NO_MAX.size, NO_MAX.size),
    min_lot_square_feet: lowest(totals.minLotSqft, totals.maxLotSqft),
    max_lot_square_feet: totals.maxLotSqft ?? NO_MAX.lot,
    min_year: lowest(totals.minYear, totals.maxYear),
    max_year: totals.maxYear ?? NO_MAX.year,
    amenities: amenityBits(totals.amenities),
    keywords: totals.keywords,
    ...(boundsOf(totals) ?? NO_BOUNDS),
    area: totals.area ? areaLiteral(totals.area) : '',
  } satisfies Partial<Insertable<DB['saved_searches']>>;
}

/** Between the marks of one place; no mark has it. */
export const MARK_SEPARATOR = '\n';

/** The words that are not among the keywords, or all when the text had them too. */
function textOf(words: readonly string[], { text, keywords }: SearchCriteria): string {
  const typed = new Set(queryWords(text));
  const apart = queryWords(keywords).filter((word) => !typed.has(word));
  return words
    .filter((word) => !apart.includes(word))
    .join(' ')
    .slice(0, 200);
}

/** What is unknown (-1) is outside of a range with any bound. */
const lowest = (min: number | null, max: number | null): number => min ?? (max === null ? NO_MIN : 0);

/** The index key of a search: its rarest word, or the first three letters if the word may match inside another. */
const indexKey = (word: string, reading: SearchMeaning['reading']): string =>
  isPartialWord(word, reading) ? `*${word.slice(0, MIN_SUBSTRING_LENGTH)}` : word;

const isPartialWord = (word: string, reading: SearchMeaning['reading']) =>
  reading === 'parts' && word.length >= MIN_SUBSTRING_LENGTH;

/** The words that the key does not cover, separated by spaces; '*' marks those that may match inside a word, '=' whole ones. */
const remainingTerms = (
  words: readonly string[],
  rarest: string | null,
  reading: SearchMeaning['reading'],
  whole: readonly string[],
): string =>
  words
    .filter((word) => word !== rarest || isPartialWord(word, reading) || whole.includes(word))
    .map((word) => (whole.includes(word) ? `=${word}` : isPartialWord(word, reading) ? `*${word}` : word))
    .join(' ');

/** Every index key that may match a listing's words; includes '' for searches without words. */
export function indexKeys(listed: Iterable<string>): string[] {
  const keys = new Set(['']);
  for (const word of listed) {
    for (let end = 1; end <= word.length; end++) keys.add(word.slice(0, end));
    for (let at = 0; at + MIN_SUBSTRING_LENGTH <= word.length; at++)
      keys.add(`*${word.slice(at, at + MIN_SUBSTRING_LENGTH)}`);
  }
  return [...keys];
}

/** The query of the property list for the criteria of a row. */
export function toPropertiesQuery(row: CriteriaRow, typeSlug: string | null): PropertiesQuery {
  const { min, max } = priceBounds(row);
  return {
    type: typeSlug ?? undefined,
    q: row.text || undefined,
    // What was saved as words would else be read as filters.
    words: isReadAsFilters(row.text) ? '1' : undefined,
    min: min === null ? undefined : min / 100,
    max: max === null ? undefined : max / 100,
    beds: row.min_beds > 0 ? row.min_beds : undefined,
    baths: row.min_baths > 0 ? row.min_baths : undefined,
    ...furtherQuery(row),
    ...placeQuery(row),
  };
}

/** The drawn area has the bounds of the search, unless it was limited to a part of it. */
function placeQuery(row: CriteriaRow): PropertiesQuery {
  const area = areaOfLiteral(row.area);
  const bbox = row.south === NO_BOUNDS.south ? undefined : formatRectangle(row);
  if (!area) return { bbox };
  return { area: formatArea(area), bbox: bbox === formatRectangle(boundsOfArea(area)) ? undefined : bbox };
}

function furtherQuery(row: CriteriaRow): PropertiesQuery {
  const { minSqft, maxSqft, minLotSqft, maxLotSqft, minYear, maxYear, amenities, keywords } = furtherOf(row);
  return {
    'sqft-min': minSqft ?? undefined,
    'sqft-max': maxSqft ?? undefined,
    'lot-min': minLotSqft ?? undefined,
    'lot-max': maxLotSqft ?? undefined,
    'year-min': minYear ?? undefined,
    'year-max': maxYear ?? undefined,
    amenity: amenities.length > 0 ? amenities : undefined,
    keywords: keywords || undefined,
  };
}

/** The criteria of a row beside text, type, price, rooms and place. */
function furtherOf(row: CriteriaRow) {
  const from = (value: number) => (value > 0 ? value : null);
  const to = (value: number, none: number) => (value < none ? value : null);
  return {
    minSqft: from(row.min_square_feet),
    maxSqft: to(row.max_square_feet, NO_MAX.size),
    minLotSqft: from(row.min_lot_square_feet),
    maxLotSqft: to(row.max_lot_square_feet, NO_MAX.lot),
    minYear: from(row.min_year),
    maxYear: to(row.max_year, NO_MAX.year),
    amenities: amenitiesOfBits(row.amenities),
    keywords: row.keywords,
  };
}

/** A readable description of the criteria of a row. */
export function toDescription(row: CriteriaRow, typeName: string | null): string {
  const { min, max } = priceBounds(row);
  const described: DescribedCriteria = {
    text: row.text,
    type: row.type_id === 0 ? null : (typeName ?? 'A type that no longer exists'),
    minCents: min,
    maxCents: max,
    minBeds: row.min_beds > 0 ? row.min_beds : null,
    minBaths: row.min_baths > 0 ? row.min_baths : null,
    ...furtherOf(row),
    onMap: row.south !== NO_BOUNDS.south,
    drawn: row.area !== '',
  };
  return describeCriteria(described);
}

const priceBounds = ({ min_total_cents, max_total_cents }: CriteriaRow) => ({
  min: min_total_cents > 0 ? min_total_cents : null,
  max: max_total_cents < NO_MAX_CENTS ? max_total_cents : null,
});
