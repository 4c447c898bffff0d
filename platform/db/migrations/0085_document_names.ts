import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The documents of one type in the order of their names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index document_registry_by_type_and_name on document_registry (document_type, (lower(document_name) collate "C"), id)
  `.execute(db);
}
