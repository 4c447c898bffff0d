import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The receipt as a file is part of the answer to a dispute; answers that were recorded before have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // As sent, like the texts: every repetition sends the same bytes.
  await sql`alter table dispute_evidence add column receipt bytea;`.execute(db);
}
