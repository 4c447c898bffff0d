import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Quick replies: texts that a seller writes once and puts into answers to buyers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table quick_replies (
      id uuid primary key default gen_random_uuid(),
      agent_id uuid not null references agents on delete cascade,
      name text not null check (length(name) between 1 and 60),
      text text not null check (length(text) between 1 and 2000),
      -- Grows with every change; a form that was shown another one is refused.
      version integer not null default 1,
      created_at timestamptz not null default now()
    );
    create unique index quick_replies_name on quick_replies (agent_id, lower(name));
  `.execute(db);
}
