import { type Kysely, sql } from 'kysely';

/** Who viewed a property on which day is forgotten for accounts that were erased before that was part of it; the views stay counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update property_view_events e set viewer = gen_random_uuid()::text
      from users u where u.closed_at is not null and e.viewer = u.id::text;
    update property_view_days d set viewer = gen_random_uuid()::text
      from users u where u.closed_at is not null and d.viewer = u.id::text;
  `.execute(db);
}
