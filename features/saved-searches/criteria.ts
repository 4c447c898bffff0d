import type { Insertable, Selectable } from 'kysely';
import type { PropertiesQuery } from '#app/paths.ts';
import { formatRectangle, type Meaning, type SearchCriteria } from '#features/search/model.ts';
import { SHORTEST_PART } from '#features/search/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { type DescribedCriteria, describeCriteria } from './rules.ts';

type Row = Selectable<DB['saved_searches']>;
/** What of a row says what is searched for. */
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

/** Dearer than anything: no upper bound. */
const DEAREST = Number.MAX_SAFE_INTEGER;
const EVERYWHERE = { south: -999, west: -999, north: 999, east: 999 };

/**
 * The columns of a saved search. The bounds of its price are the buyer's totals, so that they hold whatever the fees
 * are when a listing comes.
 * @param totals the criteria with prices as the buyer gave them
 */
export function rowOf(totals: SearchCriteria, { words, reading, rarest }: Meaning) {
  return {
    text: words.join(' ').slice(0, 200),
    words: words.toSorted(),
    reading,
    key_word: rarest === null ? '' : keyOf(rarest, reading),
    rest: restOf(words, rarest, reading),
    type_id: totals.typeId ?? 0,
    min_total_cents: totals.minCents ?? 0,
    max_total_cents: totals.maxCents ?? DEAREST,
    min_beds: totals.minBeds || -1,
    min_baths: totals.minBaths || -1,
    ...(totals.bbox ?? EVERYWHERE),
  } satisfies Partial<Insertable<DB['saved_searches']>>;
}

/** What a search is looked up by: its rarest word, or three letters of it when it may stand inside another. */
const keyOf = (word: string, reading: Meaning['reading']): string =>
  isPart(word, reading) ? `*${word.slice(0, SHORTEST_PART)}` : word;

const isPart = (word: string, reading: Meaning['reading']) =>
  reading === 'parts' && word.length >= SHORTEST_PART;

/** What the key leaves to be compared, separated by spaces; a part of a word with '*' before it. */
const restOf = (words: readonly string[], rarest: string | null, reading: Meaning['reading']): string =>
  words
    .filter((word) => word !== rarest || isPart(word, reading))
    .map((word) => (isPart(word, reading) ? `*${word}` : word))
    .join(' ');

/** Every key by which a search with some of a listing's words may stand in the index; '' for those without words. */
export function keysOf(listed: Iterable<string>): string[] {
  const keys = new Set(['']);
  for (const word of listed) {
    for (let end = 1; end <= word.length; end++) keys.add(word.slice(0, end));
    for (let at = 0; at + SHORTEST_PART <= word.length; at++)
      keys.add(`*${word.slice(at, at + SHORTEST_PART)}`);
  }
  return [...keys];
}

/** The list's address with the criteria of a row. */
export function queryOf(row: CriteriaRow, typeSlug: string | null): PropertiesQuery {
  const { min, max } = bounds(row);
  return {
    type: typeSlug ?? undefined,
    q: row.text || undefined,
    min: min === null ? undefined : min / 100,
    max: max === null ? undefined : max / 100,
    beds: row.min_beds > 0 ? row.min_beds : undefined,
    baths: row.min_baths > 0 ? row.min_baths : undefined,
    bbox: row.south === EVERYWHERE.south ? undefined : formatRectangle(row),
  };
}

/** A row in words. */
export function descriptionOf(row: CriteriaRow, typeName: string | null): string {
  const { min, max } = bounds(row);
  const described: DescribedCriteria = {
    text: row.text,
    type: row.type_id === 0 ? null : (typeName ?? 'A type that is gone'),
    minCents: min,
    maxCents: max,
    minBeds: row.min_beds > 0 ? row.min_beds : null,
    minBaths: row.min_baths > 0 ? row.min_baths : null,
    onMap: row.south !== EVERYWHERE.south,
  };
  return describeCriteria(described);
}

const bounds = ({ min_total_cents, max_total_cents }: CriteriaRow) => ({
  min: min_total_cents > 0 ? min_total_cents : null,
  max: max_total_cents < DEAREST ? max_total_cents : null,
});
