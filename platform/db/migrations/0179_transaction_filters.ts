import { type Kysely, sql } from 'kysely';

/** Sales that several filters narrow are counted from one index, which holds what the other filters ask, without reading the sales. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index property_sales_by_status, property_sales_by_paid_by, property_sales_by_mode;
    create index property_sales_by_status on property_sales (list_status, (coalesce(sale_date, created_at)), id)
      include (paid_by, livemode);
    create index property_sales_by_paid_by on property_sales (paid_by, (coalesce(sale_date, created_at)), id)
      include (list_status, livemode);
    create index property_sales_by_mode on property_sales (livemode, (coalesce(sale_date, created_at)), id)
      include (list_status, paid_by);`.execute(db);
}
