import { type Kysely, sql } from 'kysely';

/**
 * The public search can be limited to an area drawn on the map: the indexes find what is in the rectangle around it as before, then each
 * place is compared with the area itself. Saved searches keep the area.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter type search_filter add attribute area polygon;

    -- The access paths of the search, which have the further filters in a branch of their own (0078).
    do $$
    declare
      path regprocedure;
      old text;
      new text;
    begin
      for path in select oid::regprocedure from pg_proc where proname in
        ('search_match', 'search_walk', 'search_count', 'search_sample', 'search_squares', 'search_squares_sample')
        and pronamespace = current_schema()::regnamespace
      loop
        old := pg_get_functiondef(path);
        new := replace(old, 'e.amenities & f.amenities = f.amenities',
          'e.amenities & f.amenities = f.amenities and (f.area is null or f.area @> point(e.longitude, e.latitude))');
        new := replace(new, '32767::smallint, 0) then', '32767::smallint, 0) or f.area is not null then');
        if new = old or position('f.area is not null' in new) = 0 or position('f.area @>' in new) = 0 then
          raise exception 'The drawn area could not be added to %', path;
        end if;
        execute new;
      end loop;
    end $$;

    -- As a literal of polygon; '' for none. Its bounds are those of the search.
    alter table saved_searches
      add column area text not null default '' check (length(area) <= 2000),
      add column has_area boolean not null generated always as (area <> '') stored;
    do $$
    declare
      once text := pg_get_indexdef('saved_searches_once'::regclass);
      matching text := pg_get_indexdef('saved_searches_match'::regclass);
    begin
      drop index saved_searches_once, saved_searches_match;
      execute regexp_replace(once, '\\)$', ', md5(area))');
      execute regexp_replace(matching, '(INCLUDE \\([^)]*)\\)', '\\1, has_area)');
    end $$;
  `.execute(db);
}
