import { type Kysely, sql } from 'kysely';

/** The documents that go to the provider as files with the answer to a dispute: `[{ "kind": …, "document": id }]`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dispute_evidence add column documents jsonb not null default '[]'
      check (jsonb_typeof(documents) = 'array');
  `.execute(db);
}
