import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Files of listings that sellers and administrators import in the browser: what was uploaded, how its columns are read, what a check
 * would do, what the import did to each listing, and whether it was undone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listing_imports (
      id uuid primary key default gen_random_uuid(),
      -- Whose listings they are; an administrator chooses it after the upload.
      agent_id uuid references agents on delete cascade,
      made_by uuid references users on delete set null,
      made_as text not null check (made_as in ('agent', 'admin')),
      first_status text not null default 'pending' check (first_status in ('pending', 'Active')),
      file_name text not null check (length(file_name) between 1 and 200),
      -- The file is stored in parts, named by the id and the number of the part; none are left once it was deleted.
      file_parts smallint not null default 0 check (file_parts >= 0),
      file_format text not null check (file_format in ('csv', 'json')),
      byte_size bigint not null check (byte_size >= 0),
      -- What the file is: its columns, its first rows, how it is encoded.
      description jsonb not null,
      -- The column of each field as it was chosen, null where none is read.
      mapping jsonb not null default '{}',
      activate_types boolean not null default false,
      -- Names of property types by the file's own words.
      types jsonb not null default '{}',
      -- What becomes of a home that the seller lists from another source.
      same_home text not null default 'ask' check (same_home in ('ask', 'merge', 'keep')),
      status text not null default 'uploaded' check (status in
        ('uploaded', 'checking', 'checked', 'running', 'stopped', 'done', 'undoing', 'undone')),
      -- Why the last step did not end well.
      problem text check (length(problem) <= 1000),
      rows_total integer not null default 0,
      rows_done integer not null default 0,
      -- The last line that is written; an interrupted import resumes after it.
      resume_line integer not null default 0,
      check_added integer not null default 0,
      check_changed integer not null default 0,
      check_unchanged integer not null default 0,
      check_refused integer not null default 0,
      added integer not null default 0,
      changed integer not null default 0,
      unchanged integer not null default 0,
      refused integer not null default 0,
      -- Cells that were left blank or changed in accepted rows, counted by column and reason.
      notes jsonb not null default '{}',
      removed integer not null default 0,
      restored integer not null default 0,
      spared integer not null default 0,
      -- While a process works on it; it is taken up by another when the time is over.
      leased_until timestamptz,
      lease uuid,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      undone_at timestamptz,
      check (agent_id is not null or status = 'uploaded')
    );
    create trigger listing_imports_touch before update on listing_imports
      for each row execute function touch_updated_at();
    create index listing_imports_newest on listing_imports (created_at desc, id desc);
    create index listing_imports_of_seller on listing_imports (agent_id, created_at desc, id desc);
    create index listing_imports_maker on listing_imports (made_by);
    create index listing_imports_at_work on listing_imports (created_at)
      where status in ('checking', 'running', 'undoing');
    -- One at a time for a seller; the others wait.
    create unique index listing_imports_leased on listing_imports (agent_id) where lease is not null;

    -- What an import did to each listing that it added or changed.
    create table listing_import_rows (
      import_id uuid not null references listing_imports on delete cascade,
      line integer not null check (line > 0),
      property_id uuid not null references properties on delete cascade,
      outcome text not null check (outcome in ('added', 'changed')),
      -- The changed columns as they were.
      before jsonb,
      -- Of the listing as the import left it: whatever is different since was done by someone else.
      fingerprint text not null,
      at timestamptz not null,
      undone text check (undone in ('removed', 'restored', 'spared')),
      spared_because text check (length(spared_because) <= 200),
      primary key (import_id, line),
      check ((outcome = 'changed') = (before is not null)),
      check ((undone is not distinct from 'spared') = (spared_because is not null))
    );
    create index listing_import_rows_property on listing_import_rows (property_id);
    create index listing_import_rows_spared on listing_import_rows (import_id, line) where undone = 'spared';
    create index listing_import_rows_left on listing_import_rows (import_id, line) where undone is null;

    -- Rows that a check or an import refused, with the cell that is to blame.
    create table listing_import_refusals (
      import_id uuid not null references listing_imports on delete cascade,
      step text not null check (step in ('check', 'import')),
      line integer not null check (line > 0),
      column_name text check (length(column_name) <= 100),
      reason text not null check (length(reason) <= 500),
      detail text check (length(detail) <= 500),
      primary key (import_id, step, line)
    );
    create index listing_import_refusals_reasons on listing_import_refusals (import_id, step, column_name, reason);

    -- A listing as its seller and administrators write it. A position counts once it was placed by hand: others are found meanwhile.
    create function listing_fingerprint(p properties) returns text language sql stable as $$
      select md5(jsonb_build_array(p.agent_id, p.type_id, p.price_cents, p.address, p.title, p.city, p.state, p.zip,
        p.neighborhood, p.mls_name, p.mls_number, p.description, p.bedrooms, p.bathrooms, p.half_baths, p.square_feet,
        p.lot_square_feet, p.year_built, p.status, p.featured_slot, p.survey_document_path, p.deleted_at,
        case when p.location_precision = 'pin' then array[p.latitude, p.longitude] end)::text)
    $$;
  `.execute(db);
}
