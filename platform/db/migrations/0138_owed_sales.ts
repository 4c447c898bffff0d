import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * What sellers are owed depends on the payouts of each sale: the index that it is added up from names the sale too. The one before is
 * dropped by the last migration, since whoever reads a sale waits from then on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index property_sales_owing on property_sales (sale_date)
      include (id, payout_status, share_left_cents, seller_fees_cents, livemode)
      where payout_status in ('pending', 'processing', 'failed');
  `.execute(db);
}
