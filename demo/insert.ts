import type { Insertable, Kysely } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';

/** PostgreSQL takes at most 65,535 values in one statement. */
const MOST_VALUES = 60_000;

/** Inserts rows of one shape in as few statements as the protocol allows. */
export async function insertAll<T extends keyof DB & string>(
  q: Kysely<DB>,
  table: T,
  rows: readonly Insertable<DB[T]>[],
): Promise<void> {
  const columns = Math.max(1, ...rows.slice(0, 1).map((row) => Object.keys(row).length));
  const many = Math.floor(MOST_VALUES / columns);
  for (let from = 0; from < rows.length; from += many) {
    await q
      .insertInto(table)
      .values(rows.slice(from, from + many))
      .execute();
  }
}
