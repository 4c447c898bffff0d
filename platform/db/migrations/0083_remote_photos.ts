import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Photos that a file of listings names by their addresses, and what became of each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table remote_photos (
      id uuid primary key default gen_random_uuid(),
      property_id uuid not null references properties on delete cascade,
      import_id uuid references listing_imports on delete set null,
      url text not null check (length(url) between 1 and 2000),
      position smallint not null check (position >= 0),
      status text not null default 'waiting' check (status in ('waiting', 'added', 'skipped', 'failed')),
      reason text check (length(reason) <= 300),
      attempts smallint not null default 0,
      -- Of the next attempt; later while a process makes one.
      due_at timestamptz not null default now(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (property_id, url)
    );
    create index remote_photos_due on remote_photos (due_at) where status = 'waiting';
    create index remote_photos_import on remote_photos (import_id, status);
  `.execute(db);
}
