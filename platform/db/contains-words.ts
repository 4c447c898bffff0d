import { type RawBuilder, sql } from 'kysely';

/**
 * SQL: whether a text in lower case, which has a trigram index, contains `q` in any case. One or two letters are found at the
 * beginning of words only: elsewhere such an index does not know them, and every row would be read.
 */
export function containsText(text: RawBuilder<unknown>, q: string): RawBuilder<boolean> {
  const escaped = q.toLowerCase().replace(/[\\%_]/g, '\\$&');
  if (q.length > 2) return sql<boolean>`${text} like ${`%${escaped}%`}`;
  const beginnings = [`${escaped}%`, `% ${escaped}%`, `%\n${escaped}%`].map(
    (pattern) => sql`${text} like ${pattern}`,
  );
  return sql<boolean>`(${sql.join(beginnings, sql` or `)})`;
}
