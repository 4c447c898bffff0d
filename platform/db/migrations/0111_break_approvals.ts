import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * What another administrator approves is any posting of a difference to costs or losses, not a write-off alone; null: nothing is
 * posted, the difference is acknowledged.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table break_approvals add column account text default 'write_offs'
      check (account in ('write_offs', 'processing_cost', 'dispute_fees', 'chargeback_loss'));
  `.execute(db);
}
