import type { ListingCard } from '#features/listings/model.ts';
import { cardColumns, cardsOf } from '#features/listings/reads.ts';
import { mainPicture } from '#features/listings/sql.ts';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { wordsStartingWith } from './dictionary.ts';
import { emptyResult, executeSearch, type Search, type SearchResult } from './execute-search.ts';
import type { Reading } from './intents.ts';
import { interpretations } from './interpretations.ts';
import { findMarkers } from './markers.ts';
import type {
  MapMarker,
  SearchableType,
  SearchCriteria,
  SearchMeaning,
  Suggestion,
  WordMatchMode,
} from './model.ts';
import { isAsking, MAX_RELAXATIONS, relaxations } from './relaxed.ts';
import { type BaseBounds, parseCriteria } from './rules.ts';
import { loadSearchStatistics, withCounts } from './search-statistics.ts';
import { suggestionsFor } from './suggestions.ts';
import { filterOf, type Term } from './terms.ts';
import { readText } from './text-reading.ts';
import { queryWords } from './words.ts';

/**
 * A page of the public listings that match the criteria. A city or state that the words name comes first; else every typed word must equal or start a word of the listing's
 * title, address, city, state, ZIP, description or type; if nothing matches, substrings are tried, then spelling
 * corrections. Unusual input finds nothing and is not an error.
 */
export async function searchListings(ctx: Ctx, criteria: SearchCriteria): Promise<SearchResult> {
  authorize(ctx, anyone);
  const search = await openSearch(ctx, criteria);
  for await (const { terms, correctedTo, namesakes = [], named = '' } of interpretations(
    ctx,
    criteria.text,
  )) {
    const result = await executeSearch(search, withCounts(search.statistics, [...terms, ...search.keywords]));
    if (result.total > 0) return { ...result, correctedTo, namesakes, named };
  }
  return emptyResult;
}

/**
 * What the text of a list's URL asks for beside words, and which parts of it were understood. Names of places with listings stay words,
 * also where a part of them would be a filter by itself ('Commercial Point').
 */
export async function readSearchText(
  ctx: Ctx,
  params: URLSearchParams,
  types: readonly SearchableType[],
): Promise<Reading> {
  authorize(ctx, anyone);
  return readText(ctx, params, types);
}

/** A listing's card, and where it is in degrees. */
interface ListingOnMap {
  card: ListingCard;
  latitude: number;
  longitude: number;
}

const MAX_CARDS = 60;

/** A search that asks for less, and what it finds. */
interface Relaxed {
  /** what it does without, or how it differs, as 'Without “Unit 12”' or 'Near Boston' */
  said: string;
  params: URLSearchParams;
  found: SearchResult;
}

/**
 * What to show of a search that finds nothing: the first of the searches that ask for a little less and find something. Null
 * when none does.
 * @param params the query of the list
 * @param baseCents as for `parseCriteria`
 */
export async function relaxedListings(
  ctx: Ctx,
  params: URLSearchParams,
  types: readonly SearchableType[],
  baseCents?: BaseBounds,
): Promise<Relaxed | null> {
  authorize(ctx, anyone);
  const criteriaOf = async (query: URLSearchParams) =>
    parseCriteria(query, types, baseCents, await readText(ctx, query, types));
  if (!isAsking(await criteriaOf(params))) return null;
  const tried = new Set([params.toString()]);
  for await (const { said, params: relaxed } of relaxations(ctx, params, types)) {
    if (tried.has(relaxed.toString())) continue;
    if (tried.size > MAX_RELAXATIONS) return null;
    tried.add(relaxed.toString());
    const criteria = await criteriaOf(relaxed);
    if (!isAsking(criteria)) continue;
    const search = await openSearch(ctx, criteria);
    for await (const one of interpretations(ctx, criteria.text)) {
      // A correction of what is left would be a second guess.
      if (one.correctedTo !== null || one.reading === 'parts') break;
      const found = await executeSearch(
        search,
        withCounts(search.statistics, [...one.terms, ...search.keywords]),
      );
      if (found.total > 0) return { said, params: relaxed, found };
    }
  }
  return null;
}

/**
 * At most 300 markers for the visible map area (`criteria.bbox`, or everything at `zoom`): individual listings when
 * they are few or the map is zoomed in, else counts around a point. All criteria except sort and page apply. A looser reading of the text
 * is tried only while the list beside the map has nothing of the stricter ones either.
 * @param within the place that the list is limited to, null for everywhere; default: the visible area
 */
export async function mapMarkers(
  ctx: Ctx,
  criteria: SearchCriteria,
  zoom: number,
  within = criteria.bbox,
): Promise<MapMarker[]> {
  authorize(ctx, anyone);
  const search = await openSearch(ctx, criteria);
  const listed = { ...criteria, bbox: within, page: 1, after: null };
  const list = { ...search, criteria: listed, filter: filterOf(listed) };
  for await (const { terms } of interpretations(ctx, criteria.text)) {
    const counted = withCounts(search.statistics, [...terms, ...search.keywords]);
    const markers = await findMarkers(search, counted, zoom);
    if (markers.length > 0) return markers;
    // Without a text there is no other reading.
    if (criteria.text.trim() === '' || within === criteria.bbox) continue;
    if ((await executeSearch(list, counted)).total > 0) return [];
  }
  return [];
}

/**
 * What a map shows of single listings beside their price: their cards and where they are. Only public listings that have a place; unknown
 * ids are left out.
 * @param ids at most 60 are looked at
 */
export async function listingsOnMap(ctx: Ctx, ids: readonly string[]): Promise<ListingOnMap[]> {
  authorize(ctx, anyone);
  const asked = [...new Set(ids)].filter(isUuid).slice(0, MAX_CARDS);
  if (asked.length === 0) return [];
  const rows = await ctx.db
    .replica()
    .selectFrom('properties')
    .select(cardColumns)
    .select(['latitude', 'longitude'])
    .select(mainPicture().as('picture'))
    .where('id', 'in', asked)
    .where('is_public', '=', true)
    .execute();
  const cards = await cardsOf(ctx, rows);
  return cards.flatMap((card, at) => {
    const { latitude = null, longitude = null } = rows[at] ?? {};
    return latitude === null || longitude === null ? [] : [{ card, latitude, longitude }];
  });
}

async function openSearch(ctx: Ctx, criteria: SearchCriteria): Promise<Search & { keywords: Term[] }> {
  const asked = queryWords(criteria.keywords);
  const [statistics, keywords] = await Promise.all([
    loadSearchStatistics(ctx),
    asked.length > 0 ? wordsStartingWith(ctx, asked).then(({ terms }) => terms) : [],
  ]);
  return { ctx, criteria, statistics, filter: filterOf(criteria), keywords };
}

/** At most eight types, states, cities, neighborhoods, ZIPs and addresses matching the text typed so far, from two characters. */
export async function suggest(ctx: Ctx, text: string): Promise<Suggestion[]> {
  authorize(ctx, anyone);
  return suggestionsFor(ctx, text);
}

/**
 * How the text of a search is interpreted: as in the current results, or by word prefixes when there are none. Null
 * when the text has no letters or digits and so can never match.
 */
export async function meaningOf(ctx: Ctx, criteria: SearchCriteria): Promise<SearchMeaning | null> {
  authorize(ctx, anyone);
  const search = await openSearch(ctx, { ...criteria, page: 1 });
  const asked = queryWords(criteria.keywords);
  let first: SearchMeaning | null = null;
  for await (const one of interpretations(ctx, criteria.text)) {
    const { places = [], others = one.words } = one;
    // A number of the MLS is searched for once: it is kept as a word.
    if (one.reading === 'mls') continue;
    const reading = one.reading === 'parts' ? 'parts' : 'beginnings';
    const whole = one.reading === 'numbers' ? one.words.filter((word) => /\d/.test(word)) : [];
    const more = asked.flatMap((word, at) => (others.includes(word) ? [] : [at]));
    const words = [...others, ...more.flatMap((at) => asked[at] ?? [])];
    const terms = withCounts(search.statistics, [
      ...one.terms,
      ...more.flatMap((at) => search.keywords[at] ?? []),
    ]);
    const ofWords = terms.slice(places.length);
    const rarest = rarestWord({ words, reading }, ofWords);
    const fewest = ofWords[words.indexOf(rarest ?? '')]?.entries ?? Infinity;
    const [place] = places
      .map(({ key }, at) => ({ key, entries: terms[at]?.entries ?? 0 }))
      .sort((a, b) => a.entries - b.entries);
    const meaning: SearchMeaning = {
      words,
      shown: [...one.words, ...words.filter((word) => !one.words.includes(word))],
      places,
      placeKey: place && place.entries <= fewest ? place.key : null,
      reading,
      whole,
      rarest,
    };
    first ??= meaning;
    if (one.words.length + words.length === 0 || (await executeSearch(search, terms)).total > 0)
      return meaning;
  }
  return first;
}

/**
 * The word with the fewest listings, of several the longest; substrings of one or two letters only as a last resort.
 */
function rarestWord(
  { words, reading }: { words: readonly string[]; reading: WordMatchMode },
  terms: readonly Term[],
): string | null {
  const short = (word: string) => Number(reading === 'parts' && word.length <= 2);
  const ranked = words
    .map((word, at) => ({ word, entries: terms[at]?.entries ?? 0 }))
    .sort((a, b) => short(a.word) - short(b.word) || a.entries - b.entries || b.word.length - a.word.length);
  return ranked[0]?.word ?? null;
}
