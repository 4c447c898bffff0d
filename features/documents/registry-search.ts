import { type RawBuilder, sql } from 'kysely';

const MAX_WORDS = 6;
const MAX_WORD = 60;
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * Conditions on a `search_text` for what was typed: each word occurs in it. One without three letters in a row is looked for at the
 * beginning of words, since the index knows sequences of three. Null when nothing was typed; punctuation alone is found nowhere.
 */
export function wordsIn(text: RawBuilder<unknown>, q: string): RawBuilder<unknown> | null {
  const typed = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (typed.length === 0) return null;
  const words = typed.filter((word) => /[\p{L}\p{N}]/u.test(word)).slice(0, MAX_WORDS);
  if (words.length === 0) return sql`false`;
  return sql.join(
    words.map((word) => {
      const part = escaped(word.slice(0, MAX_WORD));
      return sql`${text} like ${/[\p{L}\p{N}]{3}/u.test(word) ? `%${part}%` : `% ${part}%`}`;
    }),
    sql` and `,
  );
}
