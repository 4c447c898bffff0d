import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** A saved search knows the places that its text names, as the list does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table saved_searches
      -- one for each place of the text: the marks of listings there (features/search/place-marks.ts), separated by spaces after '='
      add column places text[] not null default '{}' check (cardinality(places) <= 12),
      drop constraint saved_searches_check,
      add constraint saved_searches_check check ((key_word = '') = (words = '{}' and places = '{}'));
    do $$
    declare
      once text := pg_get_indexdef('saved_searches_once'::regclass);
      matching text := pg_get_indexdef('saved_searches_match'::regclass);
    begin
      drop index saved_searches_once, saved_searches_match;
      execute regexp_replace(once, '\\)$', ', places)');
      execute regexp_replace(matching, '(INCLUDE \\([^)]*)\\)', '\\1, places)');
    end $$;
  `.execute(db);
}
