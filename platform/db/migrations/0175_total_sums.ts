import { type Kysely, sql } from 'kysely';

/** Beside the numbers of rows what they come to, for the dashboard; and the sales that it sums up, to be counted quickly. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table totals add column sums jsonb not null default '{}';
    create index property_sales_closed on property_sales (livemode)
      where stripe_payment_status = 'completed' and escrow_status = 'completed';
  `.execute(db);
}
