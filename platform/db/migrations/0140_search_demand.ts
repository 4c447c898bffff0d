import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * What the report on searches counts. A search that somebody repeats within half an hour is one search: what it is told by is a
 * key, null for those before. Listings are counted by state too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A hash of who searched, for what, and in which half hour.
    alter table search_events add column repeat_key text;
    create unique index search_events_repeat on search_events (repeat_key) where repeat_key is not null;

    alter table report_market drop constraint report_market_kind_check,
      add constraint report_market_kind_check check (kind in ('type', 'price', 'state'));
  `.execute(db);
}
