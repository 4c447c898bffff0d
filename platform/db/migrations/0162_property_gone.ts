import { type Kysely, sql } from 'kysely';

/**
 * A sale that was released and refunded whole no longer holds its property. When its money comes back after that was put up for sale
 * again, it goes back once more, and the property stays with the others.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table property_sales add column property_gone_at timestamptz;
    drop index property_sales_one_live;
    create unique index property_sales_one_live on property_sales (property_id)
      where escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded') and property_gone_at is null;
    create or replace function held_by_sale(property uuid) returns boolean language sql stable as $$
      select exists (select from property_sales where property_id = property and escrow_status <> 'cancelled'
        and stripe_payment_status not in ('failed', 'refunded') and property_gone_at is null) $$;
  `.execute(db);
}
