import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** A listing names its neighborhood, and the number under which a multiple listing service knows it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table properties
      add column neighborhood text check (char_length(neighborhood) between 1 and 100),
      add column mls_name text check (char_length(mls_name) between 1 and 100),
      add column mls_number text check (char_length(mls_number) between 1 and 60)
  `.execute(db);
}
