import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Neighborhoods are places of the search like cities, and the number of a multiple listing service finds its listing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index properties_mls_number on properties (lower(mls_number)) where mls_number is not null;

    alter function search_lexemes(properties) rename to search_lexemes_with_addresses;
    -- '=d:alberta arts|portland or|Alberta Arts, Portland, OR' is a neighborhood: its name, its city with the state, and how
    -- it is written; '=i:20114477' the number of a multiple listing service.
    create function search_lexemes(p properties) returns tsvector language plpgsql immutable parallel safe as $$
    declare
      found tsvector := search_lexemes_with_addresses(p);
      also text[] := '{}';
      name text;
    begin
      if p.neighborhood is null and p.mls_number is null then return found; end if;
      foreach name in array array[search_text(p.neighborhood), other_place(p.neighborhood)] loop
        if name <> '' then
          also := also || string_to_array(name, ' ') || left('=d:' || name || '|' || search_text(p.city || ' ' || p.state)
            || '|' || concat_ws(', ', btrim(p.neighborhood), nullif(btrim(p.city), ''), nullif(btrim(p.state), '')), 400);
        end if;
      end loop;
      if btrim(p.mls_number) <> '' then also := also || ('=i:' || lower(btrim(p.mls_number))); end if;
      return found || array_to_tsvector(array(select distinct word from unnest(also) word where word <> ''));
    end $$;

    create trigger search_update_place after update of neighborhood, mls_number on properties
      for each row when (new.is_public
        and (old.neighborhood, old.mls_number) is distinct from (new.neighborhood, new.mls_number))
      execute function search_follow_property();

    -- Of the marked words the dictionary has those of addresses and the states, the list of places its three kinds.
    create or replace function search_follow_entry() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        insert into search_cells select * from search_cells_of(old, -1);
        insert into search_places select word, -1 from unnest(tsvector_to_array(old.words)) word where word ~ '^=[czd]:';
      end if;
      if tg_op = 'DELETE' then return null; end if;
      insert into search_cells select * from search_cells_of(new, 1);
      insert into search_places select word, 1 from unnest(tsvector_to_array(new.words)) word where word ~ '^=[czd]:';
      insert into search_words (word) select given.word from unnest(tsvector_to_array(new.words)) as given (word)
        where given.word !~ '^=(?![au]:)' and not exists (select from search_words known where known.word = given.word);
      return null;
    end $$;
    -- Places of the last migration, which began to be noted in the dictionary, too.
    delete from search_words where word ~ '^=(?![au]:)';
  `.execute(db);
}
