import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Listings that an import left unchanged but for photos that it has fetched, so that undoing it finds them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table listing_imports add column pictured integer not null default 0;
    alter table listing_import_rows
      drop constraint listing_import_rows_outcome_check,
      drop constraint listing_import_rows_check,
      add constraint listing_import_rows_outcome_check check (outcome in ('added', 'changed', 'pictured')),
      add constraint listing_import_rows_check check ((outcome <> 'added') = (before is not null));
  `.execute(db);
}
