import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { AFTER_ALL_LETTERS, wordsStartingWith } from './dictionary.ts';
import { cheapestIndexQuery } from './index-query.ts';
import { MAX_SUGGESTIONS, type Suggestion } from './model.ts';
import { walkBoundForFew } from './plan.ts';
import { loadSearchStatistics } from './search-statistics.ts';
import { filterLiteral, isImpossible, noFilter, queryText } from './terms.ts';
import { queryWords, searchText } from './words.ts';

const MAX_OF_EACH = { type: 2, city: 3, zip: 2 };

export async function suggestionsFor(ctx: Ctx, text: string): Promise<Suggestion[]> {
  const typed = searchText(text.slice(0, 100));
  if (typed.length < 2) return [];
  const places = await placesAndTypes(ctx, typed);
  return [...places, ...(await addresses(ctx, queryWords(text), MAX_SUGGESTIONS - places.length))];
}

interface PlaceOrType {
  kind: 'type' | 'city' | 'zip';
  label: string;
  slug: string;
}

/** Types, cities and ZIPs of public listings that start with the typed text; the most frequent first. */
async function placesAndTypes(ctx: Ctx, typed: string): Promise<Suggestion[]> {
  const place = (kind: 'city' | 'zip', most: number) => {
    const mark = `=${kind[0]}:${typed}`;
    return sql`(select ${kind}, max(split_part(place, '|', 2)), '' from search_places
      where place ~>=~ ${mark} and place ~<~ (${mark} || ${AFTER_ALL_LETTERS})
      group by split_part(place, '|', 1) having sum(entries) > 0 order by sum(entries) desc limit ${most})`;
  };
  const { rows } = await sql<PlaceOrType>`
    (select 'type' as kind, name as label, slug from property_types
      where is_active and search_text(name) ~>=~ ${typed} and search_text(name) ~<~ (${typed} || ${AFTER_ALL_LETTERS})
      order by name limit ${MAX_OF_EACH.type})
    union all ${place('city', MAX_OF_EACH.city)} union all ${place('zip', MAX_OF_EACH.zip)}`.execute(
    ctx.db.replica(),
  );
  return rows.map(({ kind, label, slug }) =>
    kind === 'type' ? { kind, label, slug } : { kind, label, text: label },
  );
}

/** Listings whose address has words that equal or start with all the typed words. */
async function addresses(ctx: Ctx, words: string[], most: number): Promise<Suggestion[]> {
  const { terms } = await wordsStartingWith(ctx, words, '=a:');
  if (most <= 0 || terms.some(isImpossible)) return [];
  const labelled = async (found: RawBuilder<unknown>): Promise<Suggestion[]> => {
    const { rows } = await sql<{ id: string; label: string }>`
      select p.id, concat_ws(', ', p.address, nullif(p.city, ''), nullif(p.state, '')) as label
      from ${found} found (id) join properties p using (id)`.execute(ctx.db.replica());
    return rows.map(({ id, label }) => ({ kind: 'address', label, propertyId: id }));
  };
  const statistics = await loadSearchStatistics(ctx);
  const bound = walkBoundForFew(statistics, terms, most);
  if (bound !== null) {
    const walked = await labelled(sql`search_walk(${queryText(terms)}::tsquery,
      ${filterLiteral(noFilter)}::search_filter, 'newest', 0, ${most}, ${bound})`);
    if (walked.length === most) return walked;
  }
  const match = cheapestIndexQuery(statistics, noFilter, terms, most);
  return labelled(
    sql`search_some(${match?.query}::tsquery, ${match?.also}::tsquery, ${match?.rest}::tsquery, ${most})`,
  );
}
