import { type Kysely, sql } from 'kysely';

/** Other systems read a city by price, and documents of a type are counted, from an index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index properties_exchange_city_price on properties (city, price_cents, id)
      where deleted_at is null and status in ('Active', 'escrow', 'Sold', 'withdrawn');
    drop index document_registry_type;
    create index document_registry_type on document_registry (document_type, created_at desc, id) where not is_test`.execute(
    db,
  );
}
