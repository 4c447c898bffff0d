import type { Insertable, Kysely } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';

/** PostgreSQL takes at most 65,535 values in one statement. */
const MAX_PARAMETERS = 60_000;

/** Inserts rows that all have the same columns, in as few statements as the protocol allows. */
export async function insertAll<T extends keyof DB & string>(
  q: Kysely<DB>,
  table: T,
  rows: readonly Insertable<DB[T]>[],
): Promise<void> {
  const columns = Math.max(1, ...rows.slice(0, 1).map((row) => Object.keys(row).length));
  const rowsPerStatement = Math.floor(MAX_PARAMETERS / columns);
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    await q
      .insertInto(table)
      .values(rows.slice(from, from + rowsPerStatement))
      .execute();
  }
}
