import { type RawBuilder, sql } from 'kysely';
import { FOUND_OF_EACH, type FoundRecord } from './model.ts';
import type { OfficeQuery } from './rules.ts';

export interface IdRow {
  id: string;
}

/** How many of the newest records are looked through before an index is asked. */
const NEWEST = 3_000;

/**
 * Finds the newest matches. A word that many records have is among the newest ones, and an index over all of them would take
 * long; a word that is not there is rare, and quickly found by the index. `run` gets the rows to search: a table, or its
 * newest rows of those that `of` selects, as the index by age does.
 */
export async function newestFirst<Row>(
  { table, of = sql`true`, newest }: { table: string; of?: RawBuilder<unknown>; newest: RawBuilder<unknown> },
  run: (rows: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<Row[]> {
  const source = sql.table(table);
  const rows = await run(sql`(select * from ${source} where ${of} order by ${newest} limit ${NEWEST})`);
  return rows.length >= FOUND_OF_EACH ? rows : run(source);
}

/** Whether `text`, in lower case, has all the words; false when there is nothing to search for. */
export const matching = (text: RawBuilder<unknown>, { patterns }: OfficeQuery): RawBuilder<boolean> =>
  patterns
    ? sql<boolean>`(${sql.join(
        patterns.map((pattern) => sql`${text} like ${pattern}`),
        sql` and `,
      )})`
    : sql<boolean>`false`;

/** Whether a name or an address, in lower case, begins with words that are too short for `matching`. */
export const beginning = (
  text: RawBuilder<unknown>,
  { beginning: pattern }: OfficeQuery,
): RawBuilder<boolean> =>
  pattern === null ? sql<boolean>`false` : sql<boolean>`${text} collate "C" like ${pattern}`;

/** The first records whose id begins with what was typed. `of` builds the query, `id` is the column. */
export const withIds = (
  of: (where: RawBuilder<unknown>) => RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  { ids }: OfficeQuery,
): RawBuilder<unknown> =>
  sql`(${of(ids ? sql`${id} between ${ids.from}::uuid and ${ids.to}::uuid` : sql`false`)}
    order by 1 limit ${FOUND_OF_EACH})`;

/**
 * For each of some records the newest that belong to it: `each` is a query with the record's id as `of.id`, so that each
 * goes along its index however many there are.
 */
export const newestOfEach = (ids: readonly string[], each: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select one.id from unnest(${ids}::uuid[]) of(id) cross join lateral (${each} limit ${FOUND_OF_EACH}) one)`;

/** A record without what only some kinds have. */
export const found = (
  record: Pick<FoundRecord, 'kind' | 'id' | 'label' | 'detail'> & Partial<FoundRecord>,
): FoundRecord => ({ propertyId: null, hasReceipt: false, ...record });
