import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { tryLock } from '#platform/db/locks.ts';
import { mayRefreshStatistics } from '../rules.ts';

const MAX_COUNTED_LISTINGS = 50_000;
const TABLES = ['search_entries', 'search_words', 'search_cells', 'search_places', 'properties'];

/**
 * Refreshes the statistics used by the search planner: word frequencies, aggregated map cells and places, and table
 * statistics. Without it searches are slower but still correct. Call it after an import or demo load, and
 * periodically: the embedded database has no autovacuum. Must not run inside a transaction.
 * @throws Unauthenticated, Forbidden for everyone but jobs and the command line
 */
export async function refreshSearchStatistics(ctx: Ctx): Promise<void> {
  authorize(ctx, mayRefreshStatistics);
  const { db } = ctx;
  await db.tx(async () => {
    const q = db.q();
    // One refresh at a time; a concurrent one has nothing left to do.
    if (!(await tryLock(ctx, 'search statistics'))) return;
    // Rows written concurrently are not visible to these statements and stay next to the sums.
    await sql`with gone as (delete from search_cells returning *)
      insert into search_cells select level, y, x, type_id, sum(entries), sum(latitude_sum), sum(longitude_sum)
      from gone group by level, y, x, type_id having sum(entries) <> 0`.execute(q);
    await sql`with gone as (delete from search_places returning *)
      insert into search_places select place, sum(entries) from gone group by place having sum(entries) <> 0`.execute(
      q,
    );
    await sql`delete from search_words twice using search_words once
      where twice.word = once.word and twice.ctid > once.ctid`.execute(q);
    await countWords(db);
  });
  // Vacuum also flushes the GIN index's pending list.
  for (const table of TABLES) await db.pool.query(`vacuum (analyze) ${table}`);
  invalidate(db, 'search_entries');
  await db.pool.query(`select pg_notify('cache', 'search_entries')`);
}

/** Counts the listings that contain each word; in a large market an estimate from a sample. */
async function countWords(db: Database): Promise<void> {
  const q = db.q();
  const { size } = await q
    .selectFrom('search_entries')
    .select((count) => count.fn.countAll<number>().as('size'))
    .executeTakeFirstOrThrow();
  const share = Math.min(1, MAX_COUNTED_LISTINGS / Math.max(1, size));
  const counted = `select words from search_entries order by property_id limit ${Math.ceil(size * share)}`;
  await sql`update search_words set entries = fresh.entries
    from (select known.word, coalesce(round(found.ndoc / ${share}::float8), 0)::integer as entries
      from search_words known left join ts_stat(${counted}) found on found.word = known.word) fresh
    where search_words.word = fresh.word and search_words.entries <> fresh.entries`.execute(q);
}
