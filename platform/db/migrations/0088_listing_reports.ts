import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What people report to the administrators about a listing that they see. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listing_reports (
      id uuid primary key default gen_random_uuid(),
      property_id uuid not null references properties on delete cascade,
      -- Null for visitors, of whom nothing is stored.
      reported_by uuid references users on delete set null,
      reason text not null check (reason in ('scam', 'wrong', 'unavailable', 'duplicate', 'offensive', 'other')),
      details text not null default '' check (length(details) <= 1000),
      -- Of the form that was sent, so that sending it twice is one report.
      key text not null unique check (length(key) between 1 and 100),
      created_at timestamptz not null default now()
    );
    create index listing_reports_property on listing_reports (property_id, created_at desc);
    create index listing_reports_reporter on listing_reports (reported_by, created_at) where reported_by is not null;

    -- Adds to the kinds that there are, whichever these are by now.
    do $$
    declare
      known text;
    begin
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      alter table admin_tasks drop constraint admin_tasks_kind_check;
      execute format('alter table admin_tasks add constraint admin_tasks_kind_check check (kind in (%s, ''listing_reported''))', known);
    end $$;
  `.execute(db);
}
