import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { AFTER_ALL_LETTERS, wordsBeginning } from './dictionary.ts';
import { marketOf } from './market.ts';
import { cheapestMatch } from './match.ts';
import { MOST_SUGGESTIONS, type Suggestion } from './model.ts';
import { boundForFew } from './plan.ts';
import { filterLiteral, isImpossible, noFilter, queryText } from './terms.ts';
import { queryWords, searchText } from './words.ts';

const MOST_OF_EACH = { type: 2, city: 3, zip: 2 };

export async function suggestionsFor(ctx: Ctx, text: string): Promise<Suggestion[]> {
  const typed = searchText(text.slice(0, 100));
  if (typed.length < 2) return [];
  const places = await placesAndTypes(ctx, typed);
  return [...places, ...(await addresses(ctx, queryWords(text), MOST_SUGGESTIONS - places.length))];
}

interface Known {
  kind: 'type' | 'city' | 'zip';
  label: string;
  slug: string;
}

/** Types, cities and ZIPs that begin with what was typed and have a public listing; those with the most first. */
async function placesAndTypes(ctx: Ctx, typed: string): Promise<Suggestion[]> {
  const place = (kind: 'city' | 'zip', most: number) => {
    const mark = `=${kind[0]}:${typed}`;
    return sql`(select ${kind}, max(split_part(place, '|', 2)), '' from search_places
      where place ~>=~ ${mark} and place ~<~ (${mark} || ${AFTER_ALL_LETTERS})
      group by split_part(place, '|', 1) having sum(entries) > 0 order by sum(entries) desc limit ${most})`;
  };
  const { rows } = await sql<Known>`
    (select 'type' as kind, name as label, slug from property_types
      where is_active and search_text(name) ~>=~ ${typed} and search_text(name) ~<~ (${typed} || ${AFTER_ALL_LETTERS})
      order by name limit ${MOST_OF_EACH.type})
    union all ${place('city', MOST_OF_EACH.city)} union all ${place('zip', MOST_OF_EACH.zip)}`.execute(
    ctx.db.replica(),
  );
  return rows.map(({ kind, label, slug }) =>
    kind === 'type' ? { kind, label, slug } : { kind, label, text: label },
  );
}

/** Listings whose address has all the words, or words that begin with them. */
async function addresses(ctx: Ctx, words: string[], most: number): Promise<Suggestion[]> {
  const q = ctx.db.replica();
  const { terms } = await wordsBeginning(q, words, '=a:');
  if (most <= 0 || terms.some(isImpossible)) return [];
  const labelled = async (found: RawBuilder<unknown>): Promise<Suggestion[]> => {
    const { rows } = await sql<{ id: string; label: string }>`
      select p.id, concat_ws(', ', p.address, nullif(p.city, ''), nullif(p.state, '')) as label
      from ${found} found (id) join properties p using (id)`.execute(q);
    return rows.map(({ id, label }) => ({ kind: 'address', label, propertyId: id }));
  };
  const market = await marketOf(ctx);
  const bound = boundForFew(market, terms, most);
  if (bound !== null) {
    const walked = await labelled(sql`search_walk(${queryText(terms)}::tsquery,
      ${filterLiteral(noFilter)}::search_filter, 'newest', 0, ${most}, ${bound})`);
    if (walked.length === most) return walked;
  }
  const match = cheapestMatch(market, noFilter, terms, most);
  return labelled(
    sql`search_some(${match?.query}::tsquery, ${match?.also}::tsquery, ${match?.rest}::tsquery, ${most})`,
  );
}
