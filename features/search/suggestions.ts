import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { AFTER_ALL_LETTERS, similarWords, wordsStartingWith } from './dictionary.ts';
import { cheapestIndexQuery } from './index-query.ts';
import { EXACT_TOTAL, MAX_SUGGESTIONS, type Suggestion } from './model.ts';
import { walkBoundForFew } from './plan.ts';
import { loadSearchStatistics } from './search-statistics.ts';
import { adjacentSwaps, likelyCorrections, mayBeMisspelt } from './spelling.ts';
import { codeOfState, statesStartingWith } from './states.ts';
import { wordsOfStreet } from './street-words.ts';
import { filterLiteral, isImpossible, noFilter, queryText, type Term } from './terms.ts';
import { queryWords, searchText, withoutExtras } from './words.ts';

const MAX_OF_EACH = { type: 2, city: 3, zip: 2, neighborhood: 2, state: 1 };
/** Corrections of what finds nothing that are tried, one after the other. */
const MAX_CORRECTIONS = 3;
/** Cities that the end of an address may mean: the largest whose names begin so. */
const MAX_CITIES = 20;

export async function suggestionsFor(ctx: Ctx, text: string): Promise<Suggestion[]> {
  if (searchText(text.slice(0, 100)).length < 2) return [];
  const typed = text.slice(0, 100);
  const unfinished = queryWords(typed, { unfinished: true });
  const found = await suggestionsAsTyped(ctx, typed, unfinished);
  if (found.length > 0) return found;
  const finished = queryWords(typed);
  const words = wordsOfStreet(finished) ?? finished;
  if (words.join() !== unfinished.join()) {
    const onStreets = await addressesAsTyped(ctx, words, MAX_SUGGESTIONS);
    if (onStreets.length > 0) return onStreets;
  }
  for (const corrected of await corrections(ctx, typed)) {
    const meant = await suggestionsAsTyped(ctx, corrected, queryWords(corrected));
    if (meant.length > 0) return meant;
  }
  return [];
}

async function suggestionsAsTyped(ctx: Ctx, text: string, words: readonly string[]): Promise<Suggestion[]> {
  const places = await placesAndTypes(ctx, searchText(withoutExtras(text)));
  return [...places, ...(await addressesAsTyped(ctx, words, MAX_SUGGESTIONS - places.length))];
}

async function addressesAsTyped(ctx: Ctx, words: readonly string[], most: number): Promise<Suggestion[]> {
  const { terms } = await wordsStartingWith(ctx, words, '=a:');
  const streets = await addresses(ctx, terms, most);
  if (streets.length > 0 || words.length < 2) return streets;
  const inTowns = await streetAndTown(ctx, words);
  return inTowns ? addresses(ctx, inTowns, most) : [];
}

interface Found {
  kind: 'type' | 'city' | 'zip' | 'neighborhood';
  label: string;
  slug: string;
  entries: number | null;
}

/** Types, states, cities, neighborhoods and ZIPs of public listings that start with the typed text; the most frequent first. */
async function placesAndTypes(ctx: Ctx, typed: string): Promise<Suggestion[]> {
  // '=d:north end|boston ma|North End, Boston, MA' is a neighborhood: what follows the last bar is how a place is written.
  const place = (
    kind: 'city' | 'zip' | 'neighborhood',
    letter: string,
    key: RawBuilder<unknown>,
    beginnings: readonly string[] = [typed],
  ) => {
    const marks = beginnings.map((beginning) => {
      const mark = `=${letter}:${beginning}`;
      return sql`place ~>=~ ${mark} and place ~<~ (${mark} || ${AFTER_ALL_LETTERS})`;
    });
    return sql`(select ${kind}, max(split_part(place, '|', -1)), '', sum(entries)::integer from search_places
      where ${sql.join(marks, sql` or `)}
      group by ${key} having sum(entries) > 0 order by sum(entries) desc limit ${MAX_OF_EACH[kind]})`;
  };
  const name = sql`split_part(place, '|', 1)`;
  const { rows } = await sql<Found>`
    (select 'type' as kind, name as label, slug, null::integer as entries from property_types
      where is_active and search_text(name) ~>=~ ${typed} and search_text(name) ~<~ (${typed} || ${AFTER_ALL_LETTERS})
      order by name limit ${MAX_OF_EACH.type})
    union all ${place('city', 'c', name, [typed, ...withStateCodes(typed)])}
    union all ${place('neighborhood', 'd', sql`place`)}
    union all ${place('zip', 'z', name)}`.execute(ctx.db.replica());
  const states = await statesNamed(ctx, typed);
  const found = rows.map(
    ({ kind, label, slug, entries }): Suggestion =>
      kind === 'type' ? { kind, label, slug } : { kind, label, text: label, count: countOf(entries ?? 0) },
  );
  const types = found.filter(({ kind }) => kind === 'type');
  return [...types, ...states, ...found.filter((one) => !types.includes(one))];
}

/** A city followed by the name of its state, or the beginning of it, as the index has it: 'austin tex' as 'austin tx'. */
function withStateCodes(typed: string): string[] {
  const words = typed.split(' ');
  return words.flatMap((_, at) => {
    const [city, state] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    if (city === '' || state.length < 3) return [];
    return statesStartingWith(state).map(({ code }) => `${city} ${code}`);
  });
}

const countOf = (entries: number) => ({
  total: Math.min(entries, EXACT_TOTAL),
  capped: entries > EXACT_TOTAL,
});

/**
 * The state whose name begins like that, or whose two letters it is, with its listings. It is searched for by these letters: its name may be
 * that of a city, as New York is.
 */
async function statesNamed(ctx: Ctx, typed: string): Promise<Suggestion[]> {
  const states = statesStartingWith(typed).slice(0, MAX_OF_EACH.state);
  const found: Suggestion[] = [];
  for (const { code, name } of states) {
    // How many there were at the last refresh; few are counted now.
    const { rows } = await sql<{
      entries: number;
    }>`select coalesce(max(entries), 0) as entries from search_words
      where word = ${`=u:${code}`}`.execute(ctx.db.replica());
    const known = rows[0]?.entries ?? 0;
    const entries = known > EXACT_TOTAL ? known : await countMark(ctx, `=u:${code}`);
    if (entries > 0)
      found.push({ kind: 'state', label: name, text: code.toUpperCase(), count: countOf(entries) });
  }
  return found;
}

async function countMark(ctx: Ctx, lexeme: string): Promise<number> {
  const query = queryText([{ lexemes: [lexeme], beginning: null, entries: 0 }]);
  const { rows } = await sql<{ found: number }>`select search_count(${query}::tsquery, null, null,
    ${filterLiteral(noFilter)}::search_filter, ${EXACT_TOTAL + 1}) as found`.execute(ctx.db.replica());
  return rows[0]?.found ?? 0;
}

/** Listings that have all terms, with their whole address. */
async function addresses(ctx: Ctx, terms: readonly Term[], most: number): Promise<Suggestion[]> {
  if (most <= 0 || terms.some(isImpossible)) return [];
  const labelled = async (found: RawBuilder<unknown>): Promise<Suggestion[]> => {
    const { rows } = await sql<{ id: string; label: string }>`
      select p.id, concat_ws(', ', p.address, nullif(p.city, ''), nullif(concat_ws(' ', nullif(p.state, ''), nullif(p.zip, '')), ''))
        as label
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

/**
 * The terms of a street followed by its city, state or ZIP, as far as they are typed: '12 maple st, austin tx 78701', 'maple aus'.
 * @returns null when the end of the words names no place
 */
async function streetAndTown(ctx: Ctx, words: readonly string[]): Promise<Term[] | null> {
  const place: Term[] = [];
  let left = [...words];
  const zip = left.at(-1) ?? '';
  if (/^\d{5}$/.test(zip) && left.length > 1) {
    place.push({ lexemes: [`=z:${zip}|${zip}`], beginning: null, entries: 1 });
    left = left.slice(0, -1);
  }
  for (const length of [3, 2, 1]) {
    const code = left.length > length ? codeOfState(left.slice(-length).join(' ')) : null;
    if (code) {
      place.push({ lexemes: [`=u:${code}`], beginning: null, entries: 10_000 });
      left = left.slice(0, -length);
      break;
    }
  }
  const town = await townAtEnd(ctx, left);
  if (!town && place.length === 0) return null;
  const street = town ? left.slice(0, town.from) : left;
  const { terms } = await wordsStartingWith(ctx, street, '=a:');
  return [...terms, ...(town ? [town.term] : []), ...place];
}

/** The longest end of the words, but for the first one, with which cities begin. */
async function townAtEnd(ctx: Ctx, words: readonly string[]): Promise<{ from: number; term: Term } | null> {
  const ends = words.slice(1).map((_, at) => words.slice(at + 1).join(' '));
  const { rows } = await sql<{ n: number; places: string[]; entries: number }>`
    select given.n::integer as n, array_agg(found.place) as places, sum(found.entries)::float8 as entries
    from unnest(${ends.map((end) => `=c:${end}`)}::text[]) with ordinality given (mark, n)
    cross join lateral (select place, sum(entries) as entries from search_places
      where place ~>=~ given.mark and place ~<~ (given.mark || ${AFTER_ALL_LETTERS})
      group by place having sum(entries) > 0 order by entries desc limit ${MAX_CITIES}) found
    group by given.n order by given.n limit 1`.execute(ctx.db.replica());
  const found = rows[0];
  return found
    ? { from: found.n, term: { lexemes: found.places, beginning: null, entries: found.entries } }
    : null;
}

/**
 * What may have been meant where nothing begins as typed: two letters swapped, also in a word that is not finished, or one slip.
 * Numbers stay as they are.
 */
async function corrections(ctx: Ctx, text: string): Promise<string[]> {
  const words = queryWords(text);
  const guesses: string[][] = [];
  for (const word of words) guesses.push(mayBeMisspelt(word) ? await likelyWords(ctx, word) : []);
  const whole = Array.from({ length: MAX_CORRECTIONS }, (_, rank) =>
    words.map((word, at) => guesses[at]?.[rank] ?? guesses[at]?.[0] ?? word).join(' '),
  );
  return [...new Set(whole)].filter((one) => one !== words.join(' '));
}

/** None for a word that begins one of the dictionary. */
async function likelyWords(ctx: Ctx, word: string): Promise<string[]> {
  const { rows } = await sql<{ word: string; own: boolean; entries: number }>`
    select given.word, given.n = 1 as own, max(known.entries) as entries
    from unnest(${[word, ...adjacentSwaps(word)]}::text[]) with ordinality given (word, n)
    cross join lateral (select entries from search_words
      where word ~>=~ given.word and word ~<~ (given.word || ${AFTER_ALL_LETTERS}) order by entries desc limit 1) known
    group by given.word, given.n order by max(known.entries) desc`.execute(ctx.db.replica());
  if (rows.some(({ own }) => own)) return [];
  const swapped = rows.map((row) => row.word);
  return swapped.length >= MAX_CORRECTIONS
    ? swapped
    : [...swapped, ...likelyCorrections(word, await similarWords(ctx, word, []))];
}
