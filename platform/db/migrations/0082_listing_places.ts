import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Imported listings without coordinates: their ZIP code's center is known right away, the building is looked up in the background. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listing_places (
      property_id uuid primary key references properties on delete cascade,
      import_id uuid references listing_imports on delete set null,
      status text not null default 'waiting' check (status in ('waiting', 'found', 'unknown')),
      attempts smallint not null default 0,
      -- Of the next attempt; later while a process makes one.
      due_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index listing_places_due on listing_places (due_at) where status = 'waiting';
    create index listing_places_import on listing_places (import_id, status);
  `.execute(db);
}
