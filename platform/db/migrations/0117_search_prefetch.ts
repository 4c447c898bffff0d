import { type Kysely, sql } from 'kysely';

/**
 * The access paths by words read their listings without asking the system to prefetch each page. A market that is searched lies in
 * memory, where that is one more lookup of every page: measured at a million listings, 5 % of a search.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare path regprocedure;
    begin
      for path in select oid::regprocedure from pg_proc
        where proname in ('search_match', 'search_some', 'search_count', 'search_squares') and pronamespace = current_schema()::regnamespace
      loop
        execute format('alter function %s set effective_io_concurrency = 0', path);
      end loop;
    end $$;
  `.execute(db);
}
