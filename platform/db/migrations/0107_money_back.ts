import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Refunds and chargebacks by time: the administrators' list finds the sales whose money went back on some days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index ledger_entries_money_back on ledger_entries (created_at) include (sale_id) where kind in ('L4', 'L5')
  `.execute(db);
}
