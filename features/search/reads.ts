import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { find, nothing, type SearchResult } from './find.ts';
import { type Interpretation, interpretations } from './interpretations.ts';
import { markersOf } from './markers.ts';
import { marketOf, weighed } from './market.ts';
import type { MapMarker, Meaning, SearchCriteria, Suggestion } from './model.ts';
import { suggestionsFor } from './suggestions.ts';
import { filterOf, type Term } from './terms.ts';

/**
 * A page of the public listings that fit the criteria. Every typed word must equal or begin a word of the listing's
 * title, address, city, state, ZIP, description or type; where nothing does, a part of a word is enough; where that
 * finds nothing either, a likely misspelling is corrected and said so. Strange input finds nothing and is no error.
 */
export async function searchListings(ctx: Ctx, criteria: SearchCriteria): Promise<SearchResult> {
  authorize(ctx, anyone);
  const search = { ctx, criteria, market: await marketOf(ctx), filter: filterOf(criteria) };
  for await (const { terms, correctedTo } of interpretations(ctx, criteria.text)) {
    const result = await find(search, weighed(search.market, terms));
    if (result.total > 0) return { ...result, correctedTo };
  }
  return nothing;
}

/**
 * At most 300 markers for what the map shows (`criteria.bbox`, or everything at `zoom`): single listings when they are
 * few or close, else how many there are around a point. The list's other criteria hold; sort and page do not matter.
 */
export async function mapMarkers(ctx: Ctx, criteria: SearchCriteria, zoom: number): Promise<MapMarker[]> {
  authorize(ctx, anyone);
  const search = { ctx, criteria, market: await marketOf(ctx), filter: filterOf(criteria) };
  for await (const { terms } of interpretations(ctx, criteria.text)) {
    const markers = await markersOf(search, weighed(search.market, terms), zoom);
    if (markers.length > 0) return markers;
  }
  return [];
}

/** At most eight types, cities, ZIPs and addresses that what was typed so far may mean; from two characters on (B-002). */
export async function suggest(ctx: Ctx, text: string): Promise<Suggestion[]> {
  authorize(ctx, anyone);
  return suggestionsFor(ctx, text);
}

/**
 * How the words of a search are understood: as the list shows them now, or by their beginnings when it shows nothing.
 * Null when what was typed has no letter and no digit and so finds nothing ever.
 */
export async function meaningOf(ctx: Ctx, criteria: SearchCriteria): Promise<Meaning | null> {
  authorize(ctx, anyone);
  const search = {
    ctx,
    criteria: { ...criteria, page: 1 },
    market: await marketOf(ctx),
    filter: filterOf(criteria),
  };
  let first: Meaning | null = null;
  for await (const one of interpretations(ctx, criteria.text)) {
    const terms = weighed(search.market, one.terms);
    const meaning = { words: one.words, reading: one.reading, rarest: rarestWord(one, terms) };
    first ??= meaning;
    if (one.words.length === 0 || (await find(search, terms)).total > 0) return meaning;
  }
  return first;
}

/** Of words that are equally rare the longest; parts of one or two letters only lead when there is nothing else. */
function rarestWord({ words, reading }: Interpretation, terms: readonly Term[]): string | null {
  const short = (word: string) => Number(reading === 'parts' && word.length <= 2);
  const ranked = words
    .map((word, at) => ({ word, entries: terms[at]?.entries ?? 0 }))
    .sort((a, b) => short(a.word) - short(b.word) || a.entries - b.entries || b.word.length - a.word.length);
  return ranked[0]?.word ?? null;
}
