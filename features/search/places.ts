import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { codeOfState } from './states.ts';
import type { Term } from './terms.ts';

/** The longest name of a place, in words, with its state. */
const MAX_PLACE_WORDS = 6;
const zip = /^\d{5}$/;
/** Words that make an address of what would otherwise be a place: 'Boston Avenue'. */
const ofStreets = new Set(
  `st street ave av avenue rd road dr drive ln lane blvd boulevard way ct court pl place ter terrace cir circle hwy highway
  pkwy parkway trl trail sq square n s e w ne nw se sw north south east west unit apt suite ste`.split(/\s+/),
);

/** A place that typed words name: which of them, and the listings there. */
interface Named {
  from: number;
  to: number;
  term: Term;
}

/** The term of the place that the words name, with the words that are left; null when they name none, or are an address. */
export async function placeNamed(
  ctx: Ctx,
  words: readonly string[],
): Promise<{ place: Term; others: string[] } | null> {
  if (words.some((word) => /\d/.test(word) && !zip.test(word))) return null;
  const named = (await namedPlaces(ctx, words))
    .filter(({ from, to }) =>
      [...words.slice(0, from), ...words.slice(to)].every((one) => !ofStreets.has(one)),
    )
    .sort((a, b) => b.to - b.from - (a.to - a.from) || b.to - a.to)[0];
  if (!named) return null;
  return { place: named.term, others: [...words.slice(0, named.from), ...words.slice(named.to)] };
}

/** Cities with listings, with or without their state, and states, that runs of the words name in full. */
async function namedPlaces(ctx: Ctx, words: readonly string[]): Promise<Named[]> {
  const runs: { from: number; to: number; name: string; state: string | null }[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_PLACE_WORDS); to++) {
      const run = words.slice(from, to);
      const name = run.join(' ');
      // 'in' and 'or' are words more often than states.
      runs.push({ from, to, name, state: name.length > 2 || words.length === 1 ? codeOfState(name) : null });
      // 'Saint Paul Minnesota' is in the index as 'saint paul mn'.
      for (let at = 1; at < run.length; at++) {
        const state = codeOfState(run.slice(at).join(' '));
        if (state && run.slice(at).join(' ') !== state)
          runs.push({ from, to, name: `${run.slice(0, at).join(' ')} ${state}`, state: null });
      }
    }
  }
  const { rows } = await sql<{ n: number; places: string[]; own: boolean; entries: number }>`
    select given.n::integer as n, array_agg(found.place) as places, sum(found.entries)::float8 as entries,
      bool_or(right(found.key, 3) = ' ' || given.state) as own
    from unnest(${runs.map(({ name }) => `=c:${name}`)}::text[], ${runs.map(({ state }) => state ?? '')}::text[])
      with ordinality given (mark, state, n)
    cross join lateral (
      select place, split_part(place, '|', 1) as key, sum(entries) as entries from search_places
      where (place ~>=~ (given.mark || ' ') and place ~<~ (given.mark || '!')
          or place ~>=~ (given.mark || '|') and place ~<~ (given.mark || '}'))
        and split_part(place, '|', 1) in (given.mark,
          given.mark || ' ' || search_text(coalesce(substring(split_part(place, '|', 2) from ', ([^,]*)$'), '')))
      group by place having sum(entries) > 0) found
    group by given.n`.execute(ctx.db.replica());
  return runs.flatMap(({ from, to, state }, index): Named[] => {
    const city = rows.find(({ n }) => n === index + 1);
    // New York is the city; Washington is several cities and the state.
    const whole = state !== null && !city?.own;
    if (!city && !whole) return [];
    const lexemes = [...(city?.places ?? []), ...(whole ? [`=u:${state}`] : [])];
    return [{ from, to, term: { lexemes, beginning: null, entries: city?.entries ?? 0 } }];
  });
}
