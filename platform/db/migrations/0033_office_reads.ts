import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What the back office sums up and searches: paid sales, buyers by name and e-mail, documents by name, a property's sales. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Holds every column that is summed up, so that the sums need not read the table.
    create index property_sales_paid_sums on property_sales (sale_date desc, id desc)
      include (escrow_status, sale_price_cents, returned_base_cents, agent_commission_cents)
      where stripe_payment_status = 'completed';
    create index property_sales_property on property_sales (property_id, created_at desc);
    create index properties_newest on properties (created_at desc, id desc);
    create index users_newest on users (created_at desc, id);
    create index users_search on users using gin ((lower(name || ' ' || email)) gin_trgm_ops);
    create index document_registry_search on document_registry using gin ((lower(document_name)) gin_trgm_ops);
  `.execute(db);
}
