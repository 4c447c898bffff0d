import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Files of sales that are too long to be written while somebody waits; they lie in the file store for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table transaction_files (
      id uuid primary key default gen_random_uuid(),
      requested_by uuid not null references users,
      format text not null check (format in ('csv', 'xlsx')),
      -- filters and order, as the address of the list has them
      query jsonb not null,
      status text not null default 'preparing' check (status in ('preparing', 'ready', 'failed')),
      sales integer,
      bytes bigint,
      -- how many pieces of it lie in the file store
      parts integer,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      -- when the link ends and the file is deleted
      expires_at timestamptz not null,
      check ((status = 'preparing') = (finished_at is null)),
      check (status <> 'ready' or (sales is not null and bytes is not null and parts is not null))
    );
    create index transaction_files_requested_by on transaction_files (requested_by, created_at desc);
    create index transaction_files_expired on transaction_files (expires_at);
  `.execute(db);
}
