import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Photos and PDF files that people send each other with a message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table message_files (
      id uuid primary key default gen_random_uuid(),
      message_id uuid not null unique references inquiry_messages on delete cascade,
      -- In the private store.
      file_key text not null unique,
      name text not null check (length(name) between 1 and 200),
      kind text not null check (kind in ('photo', 'pdf')),
      byte_size integer not null check (byte_size > 0),
      -- Of what is stored; a photo is encoded anew.
      sha256 text not null,
      -- 'unchecked': there is no scanner.
      scan text not null check (scan in ('clean', 'unchecked')),
      created_at timestamptz not null default now()
    );
  `.execute(db);
}
