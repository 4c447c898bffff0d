import { type Kysely, sql } from 'kysely';

/** A kind of task for documents that wait for a malware scanner, which is about the scanner as a whole. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Adds to the kinds that there are, whichever these are by now.
    do $$
    declare
      known text;
    begin
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      alter table admin_tasks drop constraint admin_tasks_kind_check;
      execute format('alter table admin_tasks add constraint admin_tasks_kind_check check (kind in (%s, ''documents_held''))', known);
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_subject_type_check';
      alter table admin_tasks drop constraint admin_tasks_subject_type_check;
      execute format('alter table admin_tasks add constraint admin_tasks_subject_type_check check (subject_type in (%s, ''scanner''))',
        known);
    end $$;
  `.execute(db);
}
