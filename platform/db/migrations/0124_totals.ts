import { type Kysely, sql } from 'kysely';

/** Exact numbers of the rows of large tables, which a job counts now and then, for cards that would take too long to count them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table totals (
      name text primary key,
      count bigint not null check (count >= 0),
      counted_at timestamptz not null
    );
  `.execute(db);
}
