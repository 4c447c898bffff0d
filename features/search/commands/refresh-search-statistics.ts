import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { forget } from '#platform/kept.ts';
import { mayRefreshStatistics } from '../rules.ts';

const COUNTED_LISTINGS = 50_000;
const TABLES = ['search_entries', 'search_words', 'search_cells', 'search_places', 'properties'];

/**
 * Brings up to date what the search estimates with: word frequencies, summed map cells and places, the planner's
 * statistics. Searches are right without it, only slower. To be called after an import or demo load and from a job;
 * the embedded database never does such work by itself. Must not run inside a transaction.
 * @throws Unauthenticated, Forbidden for everyone but jobs and the command line
 */
export async function refreshSearchStatistics(ctx: Ctx): Promise<void> {
  authorize(ctx, mayRefreshStatistics);
  const { db } = ctx;
  await db.tx(async (q) => {
    // One refresh at a time; a second one has nothing left to do.
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(7421007) as mine`.execute(
      q,
    );
    if (!rows[0]?.mine) return;
    // Rows written meanwhile are not in these statements' view and stay beside the sums.
    await sql`with gone as (delete from search_cells returning *)
      insert into search_cells select level, y, x, type_id, sum(entries), sum(latitude_sum), sum(longitude_sum)
      from gone group by level, y, x, type_id having sum(entries) <> 0`.execute(q);
    await sql`with gone as (delete from search_places returning *)
      insert into search_places select place, sum(entries) from gone group by place having sum(entries) <> 0`.execute(
      q,
    );
    await sql`delete from search_words twice using search_words once
      where twice.word = once.word and twice.ctid > once.ctid`.execute(q);
    await countWords(q);
  });
  // Vacuum also moves freshly written words from the index's waiting list into the index.
  for (const table of TABLES) await db.pool.query(`vacuum (analyze) ${table}`);
  forget(db, 'search_entries');
  await db.pool.query(`select pg_notify('cache', 'search_entries')`);
}

/** Counts in how many listings each word is; in a large market among a fair share of them, which is near enough. */
async function countWords(q: ReturnType<Database['q']>): Promise<void> {
  const { size } = await q
    .selectFrom('search_entries')
    .select((count) => count.fn.countAll<number>().as('size'))
    .executeTakeFirstOrThrow();
  const share = Math.min(1, COUNTED_LISTINGS / Math.max(1, size));
  const counted = `select words from search_entries order by property_id limit ${Math.ceil(size * share)}`;
  await sql`update search_words set entries = fresh.entries
    from (select known.word, coalesce(round(found.ndoc / ${share}::float8), 0)::integer as entries
      from search_words known left join ts_stat(${counted}) found on found.word = known.word) fresh
    where search_words.word = fresh.word and search_words.entries <> fresh.entries`.execute(q);
}
