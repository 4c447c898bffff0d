import { type Kysely, sql } from 'kysely';

/**
 * A sale that was released and refunded whole no longer holds its property. When its money comes back after that was put up for sale
 * again, it goes back once more, and the property stays with the others. And a provider is asked about a sale for as long as a dispute of
 * it is open: those that are older than that were not asked about anymore.
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
    update property_sales s set next_ask_at = now() where next_ask_at is null and provider_session_id is not null
      and exists (select from disputes d where d.sale_id = s.id and d.status = 'open' and d.kind <> 'problem');
  `.execute(db);
}
