import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Payouts wait for chargebacks that are open; those that are lost need no index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index disputes_contesting on disputes (sale_id) where kind = 'chargeback' and status = 'open';
    drop index disputes_against_sale;
  `.execute(db);
}
