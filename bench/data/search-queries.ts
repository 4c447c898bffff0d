import type { Rectangle, SearchCriteria } from '#features/search/model.ts';
import { type AmenityKey, anything, sorts } from '#features/search/model.ts';
import { searchText } from '#features/search/words.ts';
import type { Database } from '#platform/db/database.ts';
import { keysOf } from '#platform/typed-keys.ts';

export const termClasses = [
  'rare',
  'medium',
  'common',
  'prefix',
  'absent',
  'two words',
  'address',
  'part of a word',
  'misspelt',
  'no words',
] as const;
export type TermClass = (typeof termClasses)[number];
export const conditions = ['plain', 'filters', 'map', 'filters and map'] as const;
export type Condition = (typeof conditions)[number];

/** The term classes in the mix that the promise covers. */
export const promisedMix: readonly TermClass[] = ['rare', 'medium', 'common', 'prefix', 'absent'];

type Draw = () => number;
export interface Corpus {
  words: { word: string; entries: number }[];
  listings: {
    id: string;
    address: string;
    city: string;
    latitude: number;
    longitude: number;
    price_cents: number;
  }[];
  size: number;
}

/** Draws random words and listings from the database; every run uses different queries. */
export async function sampleCorpus(database: Database): Promise<Corpus> {
  const { pool } = database;
  const { rows: sizes } = await pool.query<{ size: number }>('select count(*) as size from search_entries');
  const { rows: words } = await pool.query<{ word: string; entries: number }>(
    `select word, max(entries) as entries from search_words where word not like '=%' group by word`,
  );
  const { rows: listings } = await pool.query<Corpus['listings'][number]>(
    `select id, address, city, latitude, longitude, price_cents from properties
     where id > gen_random_uuid() and is_public order by id limit 2000`,
  );
  return { words, listings, size: sizes[0]?.size ?? 0 };
}

/** Random search criteria of one term class and condition. */
export function searchQueries(
  corpus: Corpus,
  kind: TermClass,
  condition: Condition,
  count: number,
): SearchCriteria[] {
  const draw = Math.random;
  const texts = termGenerator(corpus, kind);
  return Array.from({ length: count }, () => ({
    ...anything,
    text: texts(),
    ...filters(corpus, draw, condition),
    bbox: condition.endsWith('map') ? rectangle(corpus, draw) : null,
    sort: pick(draw, sorts),
    page: draw() < 0.85 ? 1 : 2 + Math.floor(draw() * 39),
  }));
}

function termGenerator({ words, listings, size }: Corpus, kind: TermClass): () => string {
  const draw = Math.random;
  const between = (low: number, high: number) => words.filter((w) => w.entries >= low && w.entries < high);
  const known = new Set(words.map(({ word }) => word));
  const sorted = [...known].sort();
  const begins = (start: string) => sorted[lowerBound(sorted, start)]?.startsWith(start) ?? false;
  const letters = words.filter(({ word }) => /^[a-z]{6,}$/.test(word));
  const listing = () => pick(draw, listings);
  const addressWords = () => searchText(`${listing().address}`).split(' ');
  const drawUntil = (make: () => string, fits: (text: string) => boolean) => {
    for (let tries = 0; tries < 10_000; tries++) {
      const text = make();
      if (fits(text)) return text;
    }
    throw new Error(`No ${kind} term can be drawn`);
  };
  switch (kind) {
    case 'rare': {
      const rare = between(0, size / 1_000);
      return () => pick(draw, rare).word;
    }
    case 'medium': {
      const medium = between(size / 1_000, size / 30);
      return () => pick(draw, medium).word;
    }
    case 'common': {
      const common = between(size / 30, Infinity);
      return () => pick(draw, common).word;
    }
    case 'prefix':
      return () =>
        drawUntil(
          () => pick(draw, addressWords()).slice(0, 2 + Math.floor(draw() * 4)),
          (text) => /^[a-z]{2,}$/.test(text),
        );
    case 'absent':
      return () =>
        drawUntil(
          () => `q${Array.from({ length: 5 }, () => letter(draw)).join('')}x`,
          (t) => !begins(t),
        );
    case 'two words':
      return () => {
        const { address, city } = listing();
        return `${searchText(address).split(' ')[1]} ${searchText(city).split(' ')[0]?.slice(0, 4)}`;
      };
    case 'address':
      return () => searchText(listing().address).split(' ').slice(0, 2).join(' ');
    case 'part of a word':
      return () =>
        drawUntil(
          () => pick(draw, letters).word.slice(1, 5 + Math.floor(draw() * 2)),
          (text) => !begins(text),
        );
    case 'misspelt':
      return () =>
        drawUntil(
          () => misspell(draw, pick(draw, letters).word),
          (text) => !begins(text),
        );
    case 'no words':
      return () => '';
  }
}

const pick = <T>(draw: Draw, list: readonly T[]): T => {
  const one = list[Math.floor(draw() * list.length)];
  if (one === undefined) throw new Error('Nothing to draw from');
  return one;
};
const letter = (draw: Draw) => String.fromCharCode(97 + Math.floor(draw() * 26));

function lowerBound(sorted: readonly string[], value: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One letter missing, doubled, wrong or swapped with its neighbour, not the first one. */
function misspell(draw: Draw, word: string): string {
  const at = 1 + Math.floor(draw() * (word.length - 2));
  const [before, own, next, after] = [
    word.slice(0, at),
    word.charAt(at),
    word.charAt(at + 1),
    word.slice(at + 2),
  ];
  return pick(draw, [
    before + next + after,
    before + own + own + next + after,
    before + letter(draw) + next + after,
    before + next + own + after,
  ]);
}

/** A neighbourhood, a city or a region around a listing. */
function rectangle({ listings }: Corpus, draw: Draw): Rectangle {
  const { latitude, longitude } = pick(draw, listings);
  const height = pick(draw, [0.04, 0.35, 6]);
  const south = latitude - height * draw();
  const west = longitude - height * 1.3 * draw();
  return { south, west, north: south + height, east: west + height * 1.3 };
}

const further = new Set<string>(['minSqft', 'maxSqft', 'minLotSqft', 'minYear', 'amenities']);

/** One or more filters on type, price, rooms, size, lot, year and amenities, as broad or narrow as users set them. */
function filters({ listings }: Corpus, draw: Draw, condition: Condition) {
  const none = {
    typeId: null,
    minCents: null,
    maxCents: null,
    minBeds: null,
    minBaths: null,
    minSqft: null,
    maxSqft: null,
    minLotSqft: null,
    minYear: null,
    amenities: [] as readonly AmenityKey[],
  };
  if (!condition.startsWith('filters')) return none;
  const price = pick(draw, listings).price_cents;
  const all = {
    typeId: 1 + Math.floor(draw() * 4),
    minCents: Math.round(price * (0.5 + 0.4 * draw())),
    maxCents: Math.round(price * (1.1 + draw())),
    minBeds: 1 + Math.floor(draw() * 5),
    minBaths: 1 + Math.floor(draw() * 3),
    minSqft: 800 + Math.floor(draw() * 2_200),
    maxSqft: 3_000 + Math.floor(draw() * 3_000),
    minLotSqft: 2_000 + Math.floor(draw() * 60_000),
    minYear: 1_940 + Math.floor(draw() * 85),
    amenities: [pick(draw, ['garage', 'pool', 'porch', 'garden', 'patio'] as const)],
  };
  const chosen = { ...none };
  for (const name of keysOf(none)) {
    // The rooms, prices and types as often as before the others came.
    if (draw() < (further.has(name) ? 0.15 : 0.4)) Object.assign(chosen, { [name]: all[name] });
  }
  return Object.values(chosen).every(
    (value) => value === null || (Array.isArray(value) && value.length === 0),
  )
    ? { ...none, maxCents: all.maxCents }
    : chosen;
}
