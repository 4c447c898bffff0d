import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { json, otherWords, PLACE_WORDS, stateNames, UNITS } from './0074_address_words.ts';
import { AMENITY_KEYS, BIT_OF, NEGATIONS } from './0078_search_filters.ts';

/**
 * Listings that are added by one statement get their search entries, map cells, places and words by one statement each: an import adds
 * hundreds at a time, and the triggers took three quarters of its time. What is written is what the triggers for each row wrote, except that
 * counts of the same cell or place come as one sum and a new word once. Changed and removed listings are followed row by row as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await words(db);
  await entry(db);
  await triggers(db);
}

/** As in 0074, of texts that `search_text` has been through already: it was asked for the same text several times a listing. */
async function words(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- How else the words of an address are written, and the numbers within a range at its beginning; separated by spaces.
    create function address_words(words text[], address text) returns text language plpgsql immutable parallel safe as $$
    declare
      others constant jsonb := ${json(otherWords())};
      found text := '';
      also text;
      bounds text[];
      low integer;
      high integer;
    begin
      for place in 1..coalesce(array_length(words, 1), 0) loop
        also := others ->> words[place];
        if also <> '' then found := found || ' ' || also; end if;
        -- 'Forty-Second Street': two words that follow each other
        if words[place] like '%ty' then
          also := others ->> (words[place] || ' ' || words[place + 1]);
          if also <> '' then found := found || ' ' || also; end if;
        end if;
      end loop;
      if strpos(address, '#') > 0 then found := found || ${sql.lit(` ${UNITS}`)}; end if;
      if address !~ '[-–]' then return found; end if;
      bounds := regexp_match(address, '^\\s*(\\d{1,6})\\s*[-–]\\s*(\\d{1,6})\\y');
      if bounds is not null then
        low := bounds[1]::integer;
        -- '9400-08' is short for '9400-9408'.
        high := (case when length(bounds[2]) < length(bounds[1])
          then left(bounds[1], length(bounds[1]) - length(bounds[2])) else '' end || bounds[2])::integer;
        if high > low and high - low <= 100 then
          found := found || ' ' || (select string_agg(n::text, ' ') from generate_series(low, high) n);
        end if;
      end if;
      return found;
    end $$;

    -- The same of a city and its state.
    drop function place_words(text, text);
    create function place_words(city text, state text) returns text language plpgsql immutable parallel safe as $$
    declare
      known constant jsonb := ${json(PLACE_WORDS)};
      states constant jsonb := ${json(stateNames())};
      found text := coalesce(states ->> state, '');
    begin
      if city !~ '\\m(${sql.raw(Object.keys(PLACE_WORDS).join('|'))})\\M' then return found; end if;
      return concat_ws(' ', found, (select string_agg(known ->> word, ' ') from unnest(string_to_array(city, ' ')) word));
    end $$;
    -- The city itself as it is written otherwise; null when it is not.
    drop function other_place(text);
    create function other_place(city text) returns text language plpgsql immutable parallel safe as $$
    declare known constant jsonb := ${json(PLACE_WORDS)};
    begin
      if city !~ '\\m(${sql.raw(Object.keys(PLACE_WORDS).join('|'))})\\M' then return null; end if;
      return (select string_agg(coalesce(known ->> word, word), ' ' order by place)
        from unnest(string_to_array(city, ' ')) with ordinality w(word, place));
    end $$;
  `.execute(db);
}

/** The entry as in 0007, 0074, 0076 and 0078, put together once: most of the time of the former functions went into their many small steps. */
async function entry(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop function search_entry(properties), search_lexemes(properties), search_lexemes_with_addresses(properties),
      search_lexemes_as_written(properties), search_filter_lexemes(properties, integer), search_amenities(properties),
      address_words(text);

    -- The bits of the amenities that a text names, or that the seller ticked (features/search/amenities.ts).
    create function search_amenities(told text, listing uuid) returns integer language plpgsql stable parallel safe as $$
    declare
      known constant jsonb := ${json(BIT_OF)};
      bits integer := 0;
      bit integer;
      phrase text;
      ticked text := (select string_agg(a.name, ' . ') from property_amenities pa join amenities a on a.id = pa.amenity_id
        where pa.property_id = listing);
    begin
      if ticked <> '' then told := told || ' ' || search_text(ticked); end if;
      if told = '' then return 0; end if;
      for phrase in select match[1] from regexp_matches(told,
        ${sql.raw(`'\\m(?:${NEGATIONS})?(?:${Object.keys(BIT_OF).join('|')})\\M'`)}, 'g') match
      loop
        bit := (known ->> phrase)::integer;
        -- 'no pool' is not in the list, nor is what only looks like an amenity.
        if bit >= 0 then bits := bits | (1 << bit); end if;
      end loop;
      return bits;
    end $$;

    -- Marks without spaces, by which lists are filtered and sorted, separated by spaces: type, rooms, price class, size class, 32 days of
    -- its creation, square of the map, lot class, year, amenities.
    create function search_marks(p properties, amenities integer) returns text language plpgsql immutable parallel safe as $$
    declare
      keys constant text[] := ${sql.raw(`'{${AMENITY_KEYS.join(',')}}'`)};
      kind text := '=t' || coalesce(p.type_id, 0);
      price text := p.price_cents::text;
      -- Number of digits and first digits; all below 10,000 dollars and all from 10 million on are one class each.
      price_class text := case when length(price) < 7 then '0' when length(price) > 9 then '10'
        else length(price) || left(price, 2) end;
      size text := trunc(p.square_feet)::text;
      lot text := trunc(p.lot_square_feet)::text;
      beds integer := least(coalesce(p.bedrooms, 0), 9);
      baths integer := least(coalesce(p.bathrooms, 0), 9);
      marks text;
    begin
      marks := concat_ws(' ', kind, '=q' || price_class, '=p' || left(price_class, 2),
        '=n' || floor(date_part('epoch', p.created_at) / 2764800),
        case when p.square_feet >= 0 and p.square_feet < 100 then '=s0' end,
        case when length(size) > 7 then '=s8'
          when length(size) > 2 then '=s' || length(size) || left(size, 1) || ' =r' || length(size) || left(size, 2) end,
        case when length(lot) > 8 then '=l9'
          when length(lot) > 2 then '=l' || length(lot) || left(lot, 1) || ' =o' || length(lot) || left(lot, 2)
          when lot is not null then '=l0' end,
        '=y' || p.year_built, '=yd' || p.year_built / 10);
      if beds > 0 then
        marks := marks || left(' =b1 =b2 =b3 =b4 =b5 =b6 =b7 =b8 =b9', 4 * beds)
          || replace(left(' #b1 #b2 #b3 #b4 #b5 #b6 #b7 #b8 #b9', 4 * beds), '#', kind);
      end if;
      if baths > 0 then
        marks := marks || left(' =h1 =h2 =h3 =h4 =h5 =h6 =h7 =h8 =h9', 4 * baths)
          || replace(left(' #h1 #h2 #h3 #h4 #h5 #h6 #h7 #h8 #h9', 4 * baths), '#', kind);
      end if;
      if p.latitude is not null then
        marks := marks
          || ' =g0:' || floor((p.latitude + 90) / 2) || '.' || floor((p.longitude + 180) / 2)
          || ' =g1:' || floor((p.latitude + 90) * 2) || '.' || floor((p.longitude + 180) * 2)
          || ' =g2:' || floor((p.latitude + 90) * 8) || '.' || floor((p.longitude + 180) * 8)
          || ' =g3:' || floor((p.latitude + 90) * 32) || '.' || floor((p.longitude + 180) * 32);
      end if;
      if amenities = 0 then return marks; end if;
      for bit in 0..${sql.lit(AMENITY_KEYS.length - 1)} loop
        if amenities & (1 << bit) <> 0 then marks := marks || ' =m:' || keys[bit + 1]; end if;
      end loop;
      return marks;
    end $$;

    create function search_entry(p properties) returns search_entries language plpgsql stable parallel safe as $$
    declare
      address text := search_text(p.address);
      city text := search_text(p.city);
      state text := search_text(p.state);
      place text := btrim(city || ' ' || state);
      place_label constant text := concat_ws(', ', btrim(p.city), nullif(btrim(p.state), ''));
      zip text := search_text(p.zip);
      told text := search_text(coalesce(p.title, '') || ' ' || p.description);
      neighborhood text := search_text(p.neighborhood);
      bits integer := search_amenities(told, p.id);
      also text := place_words(city, state);
      code text := case when length(state) = 2 then state else split_part(place_words('', state), ' ', 1) end;
      street text := btrim(address || address_words(string_to_array(address, ' '), p.address));
      -- What may have spaces in it.
      labels text[] := '{}';
      name text;
    begin
      if city <> '' then labels := array[left('=c:' || place || '|' || place_label, 400)]; end if;
      name := other_place(city);
      if name is not null then labels := array_append(labels, left('=c:' || name || ' ' || state || '|' || place_label, 400)); end if;
      if zip <> '' then labels := array_append(labels, left('=z:' || zip || '|' || btrim(p.zip), 200)); end if;
      -- A neighborhood: its name, its city with the state, and how it is written.
      foreach name in array array[neighborhood, other_place(neighborhood)] loop
        if name <> '' then
          also := also || ' ' || name;
          labels := array_append(labels, left('=d:' || name || '|' || place || '|' || concat_ws(', ', btrim(p.neighborhood),
            nullif(btrim(p.city), ''), nullif(btrim(p.state), '')), 400));
        end if;
      end loop;
      if btrim(p.mls_number) <> '' then labels := array_append(labels, '=i:' || lower(btrim(p.mls_number))); end if;
      return row(p.id, p.created_at, p.price_cents, coalesce(p.square_feet, -1), coalesce(p.latitude, 999),
        coalesce(p.longitude, 999), coalesce(p.type_id, 0), coalesce(p.bedrooms, -1), coalesce(p.bathrooms, -1),
        array_to_tsvector(labels || array_remove(string_to_array(concat_ws(' ', search_marks(p, bits), street,
          '=a:' || replace(nullif(street, ''), ' ', ' =a:'), place, zip, told, also,
          case when length(code) = 2 then '=u:' || code end), ' '), '')),
        coalesce(p.lot_square_feet, -1), coalesce(p.year_built, -1), bits)::search_entries;
    end $$;
  `.execute(db);
}

async function triggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_follow_added() returns trigger language plpgsql as $$
    begin
      -- An entry that is there already was written after a change by another trigger of the same statement, so it is newer.
      insert into search_entries select (entry).* from
        (select search_entry(listed::properties) as entry from added listed where listed.is_public offset 0) made
        on conflict (property_id) do nothing;
      return null;
    end $$;
    drop trigger search_insert on properties;
    create trigger search_insert after insert on properties
      referencing new table as added for each statement execute function search_follow_added();

    -- Word by word the index is asked: without statistics, as while an import fills the table, the planner reads all of it.
    create function search_follow_added_entries() returns trigger language plpgsql
      set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    begin
      if not exists (select from added) then return null; end if;
      insert into search_cells
        select c.level, c.y, c.x, c.type_id, sum(c.entries), sum(c.latitude_sum), sum(c.longitude_sum)
        from added e, search_cells_of(e::search_entries, 1) c group by c.level, c.y, c.x, c.type_id;
      with given as materialized (
        select word, count(*)::integer as entries, left(word, 3) as start
        from added e, unnest(tsvector_to_array(e.words)) word group by word
      ), placed as (
        insert into search_places select word, entries from given where start in ('=c:', '=z:', '=d:')
      )
      insert into search_words (word) select given.word from given
        where (left(start, 1) <> '=' or start in ('=a:', '=u:'))
          and not exists (select from search_words known where known.word = given.word);
      return null;
    end $$;
    drop trigger search_entries_follow on search_entries;
    create trigger search_entries_follow after update or delete on search_entries
      for each row execute function search_follow_entry();
    create trigger search_entries_follow_added after insert on search_entries
      referencing new table as added for each statement execute function search_follow_added_entries();
  `.execute(db);
}
