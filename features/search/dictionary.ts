import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { singleEdits } from './spelling.ts';
import type { Term } from './terms.ts';
import { searchText } from './words.ts';

/** A prefix with at most this many words is expanded into them, which the index answers faster. */
const MAX_EXPANSIONS = 20;
/** A substring is expanded into at most this many words, the most frequent ones. */
const MAX_SUBSTRING_WORDS = 40;
/** Sorts after any continuation with letters. */
export const AFTER_ALL_LETTERS = '\u{10ffff}';

interface TypeName {
  id: number;
  name: string;
}
export interface DictionaryMatch {
  /** one term per word, in order; without lexemes and prefix when no listing can match */
  terms: Term[];
  types: TypeName[];
}

interface Expansion {
  named: { word: string; entries: number }[] | null;
  entries: number;
}

/** Terms for words that a listing's words must equal or start with. The dictionary contains every indexed word. */
export async function wordsStartingWith(
  ctx: Ctx,
  words: readonly string[],
  mark = '',
): Promise<DictionaryMatch> {
  const { rows } = await sql<{ expansions: Expansion[]; types: TypeName[] }>`
    select (select json_agg(json_build_object('named', found.named, 'entries', found.entries) order by given.n)
      from unnest(${words.map((word) => mark + word)}::text[]) with ordinality given (word, n)
      cross join lateral (
        select case when count(*) <= ${MAX_EXPANSIONS} then
          coalesce(json_agg(json_build_object('word', known.word, 'entries', known.entries)), '[]') end as named,
          coalesce(sum(known.entries), 0) as entries
        from (select word, max(entries) as entries from search_words
          where word ~>=~ given.word and word ~<~ (given.word || ${AFTER_ALL_LETTERS}) group by word) known
      ) found) as expansions,
    (select coalesce(json_agg(json_build_object('id', id, 'name', name)), '[]') from property_types) as types`.execute(
    ctx.db.replica(),
  );
  const { expansions = [], types = [] } = rows[0] ?? {};
  const terms = words.map((word, index): Term => {
    const { named = null, entries = 0 } = expansions?.[index] ?? {};
    const lexemes = named?.map((known) => known.word) ?? [];
    const none = named !== null && lexemes.length === 0;
    return { lexemes, beginning: named === null && !none ? mark + word : null, entries };
  });
  if (mark) return { terms, types };
  return {
    terms: terms.map((term, index) => withTypes(term, types, (name) => name.startsWith(words[index] ?? ''))),
    types,
  };
}

/** Terms for substrings; those of one or two letters match only as prefixes, or they would match everything. */
export async function wordsContaining(
  ctx: Ctx,
  parts: readonly string[],
  types: TypeName[],
): Promise<Term[]> {
  const { rows } = await sql<{ n: number; words: string[]; entries: number }>`
    select given.n::integer as n, array_agg(found.word) as words, sum(found.entries)::float8 as entries
    from unnest(${parts}::text[]) with ordinality given (part, n)
    cross join lateral (select word, max(entries) as entries from search_words
      where word like '%' || given.part || '%' and word not like '=%'
      group by word order by entries desc, word limit ${MAX_SUBSTRING_WORDS}) found
    where length(given.part) > 2 group by given.n`.execute(ctx.db.replica());
  const beginnings = await wordsStartingWith(ctx, parts);
  return parts.map((part, index) => {
    const found = rows.find((row) => row.n === index + 1);
    const inside: Term = { lexemes: found?.words ?? [], beginning: null, entries: found?.entries ?? 0 };
    if (part.length <= 2) return beginnings.terms[index] ?? inside;
    return withTypes(inside, types, (name) => name.includes(part));
  });
}

/** Dictionary words that `word` may be a misspelling of, most frequent first. */
export async function similarWords(ctx: Ctx, word: string, types: TypeName[]): Promise<string[]> {
  const { rows } = await sql<{ word: string; entries: number }>`
    select word, max(entries) as entries from search_words where word = any(${singleEdits(word)}::text[]) group by word
    union all
    select word, max(entries) from (select word, entries from search_words
      where word % ${word} and word not like '=%' order by similarity(word, ${word}) desc, entries desc limit 60) near
    group by word`.execute(ctx.db.replica());
  const frequency = new Map(rows.map((row) => [row.word, row.entries]));
  for (const { name } of types) for (const part of searchText(name).split(' ')) frequency.set(part, Infinity);
  return [...frequency].sort((a, b) => b[1] - a[1]).map(([known]) => known);
}

function withTypes(term: Term, types: TypeName[], fits: (word: string) => boolean): Term {
  const fitting = types.filter((type) => searchText(type.name).split(' ').some(fits));
  return fitting.length
    ? { ...term, lexemes: [...term.lexemes, ...fitting.map((type) => `=t${type.id}`)] }
    : term;
}
