import type { Insertable, Selectable } from 'kysely';
import { formatRectangle, type SearchCriteria, type SearchMeaning } from '#features/search/model.ts';
import { MIN_SUBSTRING_LENGTH } from '#features/search/rules.ts';
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
  | 'south'
  | 'west'
  | 'north'
  | 'east'
>;

/** Stored when there is no maximum price. */
const NO_MAX_CENTS = Number.MAX_SAFE_INTEGER;
const NO_BOUNDS = { south: -999, west: -999, north: 999, east: 999 };

/**
 * The columns of a saved search. Its price bounds are the buyer's totals including fees, so that they stay right when
 * the fees change.
 * @param totals the criteria with prices as the buyer entered them
 */
export function toCriteriaRow(totals: SearchCriteria, { words, reading, rarest }: SearchMeaning) {
  return {
    text: words.join(' ').slice(0, 200),
    words: words.toSorted(),
    reading,
    key_word: rarest === null ? '' : indexKey(rarest, reading),
    rest: remainingTerms(words, rarest, reading),
    type_id: totals.typeId ?? 0,
    min_total_cents: totals.minCents ?? 0,
    max_total_cents: totals.maxCents ?? NO_MAX_CENTS,
    min_beds: totals.minBeds || -1,
    min_baths: totals.minBaths || -1,
    ...(totals.bbox ?? NO_BOUNDS),
  } satisfies Partial<Insertable<DB['saved_searches']>>;
}

/** The index key of a search: its rarest word, or the first three letters if the word may match inside another. */
const indexKey = (word: string, reading: SearchMeaning['reading']): string =>
  isPartialWord(word, reading) ? `*${word.slice(0, MIN_SUBSTRING_LENGTH)}` : word;

const isPartialWord = (word: string, reading: SearchMeaning['reading']) =>
  reading === 'parts' && word.length >= MIN_SUBSTRING_LENGTH;

/** The words that the key does not cover, separated by spaces; '*' marks those that may match inside a word. */
const remainingTerms = (
  words: readonly string[],
  rarest: string | null,
  reading: SearchMeaning['reading'],
): string =>
  words
    .filter((word) => word !== rarest || isPartialWord(word, reading))
    .map((word) => (isPartialWord(word, reading) ? `*${word}` : word))
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
    min: min === null ? undefined : min / 100,
    max: max === null ? undefined : max / 100,
    beds: row.min_beds > 0 ? row.min_beds : undefined,
    baths: row.min_baths > 0 ? row.min_baths : undefined,
    bbox: row.south === NO_BOUNDS.south ? undefined : formatRectangle(row),
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
    onMap: row.south !== NO_BOUNDS.south,
  };
  return describeCriteria(described);
}

const priceBounds = ({ min_total_cents, max_total_cents }: CriteriaRow) => ({
  min: min_total_cents > 0 ? min_total_cents : null,
  max: max_total_cents < NO_MAX_CENTS ? max_total_cents : null,
});
