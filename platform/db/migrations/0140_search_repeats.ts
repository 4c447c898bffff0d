import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** A search that somebody repeats within half an hour is one search: what it is told by is a key, null for those before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A hash of who searched, for what, and in which half hour.
    alter table search_events add column repeat_key text check (length(repeat_key) <= 22);
    create unique index search_events_repeat on search_events (repeat_key);
  `.execute(db);
}
