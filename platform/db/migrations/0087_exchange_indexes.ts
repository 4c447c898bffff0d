import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Orders in which other systems read listings: by last change, of the market and of one seller, by price, and by the day of listing.
 * Only of listings that were on the market, since others are never exchanged. Photos by when they were added.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index properties_exchange on properties (updated_at, id)
      where deleted_at is null and status in ('Active', 'escrow', 'Sold', 'withdrawn');
    create index properties_exchange_seller on properties (agent_id, updated_at, id)
      where deleted_at is null and status in ('Active', 'escrow', 'Sold', 'withdrawn');
    create index properties_exchange_listed on properties (listed_at, id)
      where deleted_at is null and status in ('Active', 'escrow', 'Sold', 'withdrawn');
    create index properties_exchange_city on properties (city, updated_at, id)
      where deleted_at is null and status in ('Active', 'escrow', 'Sold', 'withdrawn');
    create index property_images_added on property_images (created_at, id) where property_id is not null`.execute(
    db,
  );
}
