import { type Kysely, sql } from 'kysely';

/** Other systems read a city by price, of which only the wanted page is then read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index properties_exchange_city_price on properties (city, price_cents, id)
      where deleted_at is null and status in ('Active', 'escrow', 'Sold', 'withdrawn')`.execute(db);
}
