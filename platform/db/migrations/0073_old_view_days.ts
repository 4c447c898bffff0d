import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Who viewed a property on which day is found by the day, to be deleted with the views of that time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index property_view_days_day on property_view_days using brin (day)`.execute(db);
}
