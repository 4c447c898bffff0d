import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The words for property types in a file that are not known here, for which its importer chooses one of ours, with the number of their rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table listing_imports add column type_words jsonb not null default '{"columns": "", "words": [], "more": 0}'
  `.execute(db);
}
