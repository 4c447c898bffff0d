import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** No session outlives its sign-in by more than 90 days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update sessions set expires_at = created_at + interval '90 days' where expires_at > created_at + interval '90 days'
  `.execute(db);
}
