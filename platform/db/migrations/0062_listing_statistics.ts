import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Similar listings: those on the market of one type in one city, or state, in the order of their prices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index properties_similar_city on properties (type_id, lower(state), lower(city), price_cents, id) where is_public;
    create index properties_similar_state on properties (type_id, lower(state), price_cents, id) where is_public;
  `.execute(db);
}
