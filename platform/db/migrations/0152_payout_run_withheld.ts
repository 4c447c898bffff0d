import { type Kysely, sql } from 'kysely';

/**
 * What a run keeps back of a payout, as whoever asked for it has seen it, so that whoever approves it sees the same; of runs before this,
 * nobody knows. And an index to find what is still being taken back from sellers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payout_run_items add column withheld_cents bigint not null default 0 check (withheld_cents >= 0);
    create index payout_reversals_pending on payout_reversals (created_at) where status = 'pending';
  `.execute(db);
}
