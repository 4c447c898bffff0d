import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The transaction that wrote a live event. Ids are assigned before the commit, so their order is not the order in which
 * events become visible; transaction ids and snapshots determine exactly what a reader has seen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table live_events add column transaction_id xid8 not null default pg_current_xact_id();
    create index live_events_transaction on live_events (transaction_id);
  `.execute(db);
}
