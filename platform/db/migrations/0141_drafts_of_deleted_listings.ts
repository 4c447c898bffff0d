import { type Kysely, sql } from 'kysely';

/**
 * A deleted listing is no longer the one that its form was submitted as: what is sent from that form is new. Then the index that
 * `property_sales_owing` replaces is dropped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update properties set draft_id = null where deleted_at is not null and draft_id is not null;
    drop index property_sales_owed;
  `.execute(db);
}
