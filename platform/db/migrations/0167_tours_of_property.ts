import { type Kysely, sql } from 'kysely';

/** Undoing an import asks of each listing whether someone has asked for a tour of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index tours_of_property on tours (property_id, created_at)`.execute(db);
}
