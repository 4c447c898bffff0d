import { type RawBuilder, sql } from 'kysely';

/** Further words of a search are ignored. */
const MAX_WORDS = 6;

/**
 * SQL: whether a text in lower case, which has a trigram index and a space before each of its words, contains every word of `q`, in
 * any case and order. A word of one or two letters is found at the beginning of words only: elsewhere such an index does not know it,
 * and every row would be read.
 */
export function containsWords(text: RawBuilder<unknown>, q: string): RawBuilder<boolean> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return sql<boolean>`true`;
  const conditions = words.map((word) => {
    const escaped = word.replace(/[\\%_]/g, '\\$&');
    return sql`${text} like ${word.length > 2 ? `%${escaped}%` : `% ${escaped}%`}`;
  });
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}
