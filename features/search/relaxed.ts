import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { wordsStartingWith } from './dictionary.ts';
import { formatRectangle, type SearchableType, type SearchCriteria } from './model.ts';
import { type PlaceReading, placesNamed } from './places.ts';
import { isImpossible, queryText } from './terms.ts';
import { readText } from './text-reading.ts';
import { queryWords, wordsOfPart } from './words.ts';

/** A search that asks for less than what was typed. */
interface Relaxation {
  /** what it does without, or how it differs, as 'Without “Unit 12”' or 'Near Boston' */
  said: string;
  /** the query of the list */
  params: URLSearchParams;
}

/** Searches that are tried at most. */
export const MAX_RELAXATIONS = 12;
/** How far 'near' reaches to each side, in degrees: some 45 km. */
const NEARBY_DEGREES = 0.4;
/** Words are taken from the end of an address up to this many. */
const MAX_ADDRESS_ENDING = 4;

const unit = /[\s,]*(?:#\s*|\b(?:unit|apt|apartment|suite|ste)\b\.?\s*#?\s*)[\w-]+/i;

/** Filters of the URL that belong together, and what a search without them is called. */
const filterGroups: [names: readonly string[], said: string][] = [
  [['keywords'], 'Without the keywords'],
  [['amenity'], 'Without the amenities'],
  [['year-min', 'year-max'], 'Without the year built'],
  [['lot-min', 'lot-max'], 'Without the lot size'],
  [['sqft-min', 'sqft-max'], 'Without the square feet'],
  [['min', 'max'], 'At any price'],
  [['beds', 'baths'], 'With any number of rooms'],
  [['type'], 'Of any type'],
];
const filterNames = filterGroups.flatMap(([names]) => names);

/**
 * Searches that ask for less than one that finds nothing, those that keep most of what was typed first. Only the parameters of
 * the list's URL change, so each of them is a link.
 */
export async function* relaxations(
  ctx: Ctx,
  params: URLSearchParams,
  types: readonly SearchableType[],
): AsyncGenerator<Relaxation> {
  const typed = (params.get('q') ?? '').trim();
  const { words: text, understood } = await readText(ctx, params, types);
  const words = queryWords(text);
  const to = (said: string, change: Record<string, string | null>): Relaxation => ({
    said,
    params: changed(params, { page: null, save: null, ...change }),
  });
  const without = (gone: readonly string[]) =>
    to(`Without “${spelled(typed, gone)}”`, { q: withoutWords(typed, gone) });

  if (understood.length > 0) yield to(`The words “${typed}”`, { words: '1' });
  if (params.get('bbox') || params.get('area')) yield to('Anywhere', { bbox: null, area: null });
  const [unitText] = unit.exec(typed) ?? [];
  if (unitText)
    yield to(`Without “${unitText.replace(/^[\s,]+/, '')}”`, { q: typed.replace(unitText, ' ').trim() });
  const unknown = await unknownWords(ctx, words);
  if (unknown.length > 0 && unknown.length < words.length) yield without(unknown);
  if (/\d/.test(words[0] ?? '')) {
    for (let count = words.length - 1; count >= Math.max(2, words.length - MAX_ADDRESS_ENDING); count--)
      yield without(words.slice(count));
    if (words.length > 1) yield without(words.slice(0, 1));
  }
  const [place] = await placesNamed(ctx, words);
  if (place) {
    const named = words.filter((word) => !place.others.includes(word));
    const area = await areaAround(ctx, place);
    if (area)
      yield to(`Near ${spelled(typed, named)}`, { q: withoutWords(typed, named), bbox: area, area: null });
  }
  for (const { label, without: rest } of understood) yield to(`Without “${label}”`, { q: rest });
  for (const [names, said] of filterGroups)
    if (names.some((name) => params.get(name))) yield to(said, noneOf(names));
  if (place && place.others.length > 0) yield without(place.others);
  if (filterNames.some((name) => params.get(name))) yield to('Without filters', noneOf(filterNames));
  if (words.length > 2) for (const word of words) yield without([word]);
  if (place) {
    const named = spelled(
      typed,
      words.filter((word) => !place.others.includes(word)),
    );
    yield to(`All of ${named}`, { ...noneOf(filterNames), q: named });
  }
  if (words.length > 0 && (understood.length > 0 || filterNames.some((name) => params.get(name))))
    yield without(words);
}

const noneOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

function changed(params: URLSearchParams, change: Record<string, string | null>): URLSearchParams {
  const result = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    if (value) result.set(name, value);
    else result.delete(name);
  }
  return result;
}

/** The text without some of its words. */
function withoutWords(typed: string, gone: readonly string[]): string {
  const parts = typed.split(/\s+/).map((part) => {
    const own = wordsOfPart(part);
    return own.some((word) => gone.includes(word))
      ? own.filter((word) => !gone.includes(word)).join(' ')
      : part;
  });
  return parts
    .filter(Boolean)
    .join(' ')
    .replace(/^[\s,]+|[\s,]+$/g, '');
}

/** These words as they were typed. */
const spelled = (typed: string, words: readonly string[]): string =>
  typed
    .split(/\s+/)
    .filter((part) => wordsOfPart(part).some((word) => words.includes(word)))
    .join(' ')
    .replace(/^[\s,]+|[\s,]+$/g, '') || words.join(' ');

/** The words that begin no word of any listing. */
async function unknownWords(ctx: Ctx, words: readonly string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const { terms } = await wordsStartingWith(ctx, words);
  return words.filter((_, at) => {
    const term = terms[at];
    return term !== undefined && isImpossible(term);
  });
}

/** A rectangle around the listings of one place, for the URL; null for places far apart and those without coordinates. */
async function areaAround(ctx: Ctx, { terms, namesakes }: PlaceReading): Promise<string | null> {
  const query = queryText(terms);
  if (query === null || namesakes.length > 0) return null;
  const { rows } = await sql<{ south: number | null; north: number; west: number; east: number }>`
    select min(e.latitude) as south, max(e.latitude) as north, min(e.longitude) as west, max(e.longitude) as east
    from search_some(${query}::tsquery, null, null, 60) found (id) join search_entries e on e.property_id = found.id
    where e.latitude <= 90`.execute(ctx.db.replica());
  const [around] = rows;
  // A state is no place to be near to.
  if (!around || around.south === null || around.north - around.south > 4 * NEARBY_DEGREES) return null;
  const { south, north, west, east } = around;
  return formatRectangle({
    south: south - NEARBY_DEGREES,
    north: north + NEARBY_DEGREES,
    west: west - NEARBY_DEGREES,
    east: east + NEARBY_DEGREES,
  });
}

/** Whether a search asks for anything, so that it could ask for less. */
export const isAsking = ({ text, page: _, sort: __, ...filters }: SearchCriteria): boolean =>
  text !== '' ||
  Object.values(filters).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)));
