import type { Kysely } from 'kysely';
import { type RawBuilder, sql } from 'kysely';

/**
 * The public search (docs/decisions/003-search.md). `search_entries` has one narrow row per public listing; triggers keep
 * it, the dictionary and the map cells in sync with `properties` inside the writing transaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await entries(db);
  await dictionaryAndCells(db);
  await triggers(db);
  await accessPaths(db);
}

async function entries(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Lower case without accents and apostrophes; everything else that is not a letter or digit separates words. Must match
    -- the TypeScript version in features/search; code points make it independent of the server's locale.
    create function search_text(value text) returns text language plpgsql immutable parallel safe strict as $$
    begin
      if octet_length(value) <> length(value) then
        value := regexp_replace(normalize(value, nfkd), '[\\u0300-\\u036f\\u2019\\u02bc]', '', 'g');
      end if;
      value := btrim(regexp_replace(lower(replace(value, '''', '')),
        '[^a-z0-9\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff\\uf900-\\ufaff]+', ' ', 'g'));
      if value ~ '[^ ]{41}' then value := regexp_replace(value, '([^ ]{40})[^ ]+', '\\1', 'g'); end if;
      return value;
    end $$;

    -- Unknown values are stored as values outside the range (0, -1, 999), so that every filter is a plain range.
    create table search_entries (
      property_id uuid not null references properties on delete cascade,
      created_at timestamptz not null,
      price_cents bigint not null,
      square_feet double precision not null,
      latitude double precision not null,
      longitude double precision not null,
      type_id smallint not null,
      bedrooms smallint not null,
      bathrooms smallint not null,
      words tsvector not null,
      primary key (property_id)
    );

    -- The words of a listing and, marked by '=', its filters and what lists are sorted by: type, rooms, price class, size
    -- class, 32 days of its creation, square of the map, place, street.
    create function search_lexemes(p properties) returns tsvector language plpgsql immutable parallel safe as $$
    declare
      street text[] := string_to_array(search_text(p.address), ' ');
      city text := search_text(p.city || ' ' || p.state);
      zip text := search_text(p.zip);
      price text := p.price_cents::text;
      -- Number of digits and first digits; all below 10,000 dollars and all from 10 million on are one class each.
      price_class text := case when length(price) < 7 then '0' when length(price) > 9 then '10'
        else length(price) || left(price, 2) end;
      size text := trunc(p.square_feet::numeric)::text;
      tags text[] := array['=t' || coalesce(p.type_id, 0), '=q' || price_class, '=p' || left(price_class, 2),
        '=n' || floor(date_part('epoch', p.created_at) / 2764800)];
    begin
      if length(size) > 7 then tags := tags || text '=s8';
      elsif length(size) > 2 then
        tags := tags || array['=s' || length(size) || left(size, 1), '=r' || length(size) || left(size, 2)];
      end if;
      for rooms in 1..least(coalesce(p.bedrooms, 0), 9) loop
        tags := tags || array['=b' || rooms, '=t' || coalesce(p.type_id, 0) || 'b' || rooms];
      end loop;
      for rooms in 1..least(coalesce(p.bathrooms, 0), 9) loop
        tags := tags || array['=h' || rooms, '=t' || coalesce(p.type_id, 0) || 'h' || rooms];
      end loop;
      if p.latitude is not null then
        for level in 0..3 loop
          tags := tags || ('=g' || level || ':' || floor((p.latitude + 90) * 4 ^ level / 2) || '.'
            || floor((p.longitude + 180) * 4 ^ level / 2));
        end loop;
      end if;
      if search_text(p.city) <> '' then
        tags := tags || left('=c:' || city || '|' || concat_ws(', ', btrim(p.city), nullif(btrim(p.state), '')), 400);
      end if;
      if zip <> '' then tags := tags || left('=z:' || zip || '|' || btrim(p.zip), 200); end if;
      return array_to_tsvector(tags || array(select '=a:' || word from unnest(street) word) || street
        || string_to_array(city, ' ') || string_to_array(zip, ' ')
        || string_to_array(search_text(coalesce(p.title, '') || ' ' || p.description), ' '));
    end $$;

    create function search_entry(p properties) returns search_entries language sql immutable parallel safe as $$
      select row(p.id, p.created_at, p.price_cents, coalesce(p.square_feet, -1), coalesce(p.latitude, 999),
        coalesce(p.longitude, 999), coalesce(p.type_id, 0), coalesce(p.bedrooms, -1), coalesce(p.bathrooms, -1),
        search_lexemes(p))::search_entries
    $$;
    -- Every search picks its access path itself, so statistics about the words are never used.
    alter table search_entries alter words set statistics 0;
    insert into search_entries select (search_entry(p)).* from properties p where is_public;

    create index search_entries_words on search_entries using gin (words) with (gin_pending_list_limit = 256);
    create index search_entries_sample on search_entries
      (property_id, type_id, price_cents, bedrooms, bathrooms, latitude, longitude);
    create index search_entries_newest on search_entries
      (created_at desc, property_id, type_id, price_cents, bedrooms, bathrooms, latitude, longitude);
    create index search_entries_price on search_entries
      (price_cents, property_id, type_id, bedrooms, bathrooms, latitude, longitude);
    create index search_entries_largest on search_entries
      (square_feet desc, property_id, type_id, price_cents, bedrooms, bathrooms, latitude, longitude);
  `.execute(db);
}

async function dictionaryAndCells(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Every word that was ever searchable, with the number of listings at the last refresh. A word is inserted with its
    -- first listing without locking, so there may be duplicates; readers select distinct words.
    create table search_words (word text not null, entries integer not null default 0);
    insert into search_words select word, ndoc from ts_stat('select words from search_entries') where word !~ '^=[tbhpqsrngcz]';
    create index search_words_word on search_words (word text_pattern_ops, entries);
    create index search_words_parts on search_words using gin (word gin_trgm_ops);

    -- Listings per map cell; a change inserts a row of +1 or -1 without locking, a refresh sums them up.
    create table search_cells (
      level smallint not null,
      y integer not null,
      x integer not null,
      type_id smallint not null,
      entries integer not null,
      latitude_sum double precision not null,
      longitude_sum double precision not null
    );
    create index search_cells_square on search_cells (level, y, x);
    create function search_cells_of(e search_entries, sign integer) returns setof search_cells
      language sql immutable parallel safe as $$
      select level::smallint, floor((e.latitude + 90) * 8 ^ level / 2)::integer,
        floor((e.longitude + 180) * 8 ^ level / 2)::integer, e.type_id, sign, sign * e.latitude, sign * e.longitude
      from generate_series(0, 2) level where e.latitude <= 90
    $$;
    -- Cities and ZIP codes with listings, as key and label ('=c:austin tx|Austin, TX'); updated like the cells.
    create table search_places (place text not null, entries integer not null);
    create index search_places_place on search_places (place text_pattern_ops);
    insert into search_places select word, ndoc from ts_stat('select words from search_entries') where word ~ '^=[cz]';

    insert into search_cells select c.level, c.y, c.x, c.type_id, sum(c.entries), sum(c.latitude_sum), sum(c.longitude_sum)
      from search_entries e, search_cells_of(e, 1) c group by 1, 2, 3, 4;
  `.execute(db);
}

async function triggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_follow_property() returns trigger language plpgsql as $$
    begin
      if not new.is_public then
        delete from search_entries where property_id = new.id;
      else
        insert into search_entries select (search_entry(new)).*
        on conflict (property_id) do update set (created_at, price_cents, square_feet, latitude, longitude, type_id,
          bedrooms, bathrooms, words) = (excluded.created_at, excluded.price_cents, excluded.square_feet,
          excluded.latitude, excluded.longitude, excluded.type_id, excluded.bedrooms, excluded.bathrooms, excluded.words);
      end if;
      return null;
    end $$;
    create trigger search_insert after insert on properties
      for each row when (new.is_public) execute function search_follow_property();
    create trigger search_update after update on properties
      for each row when (old.is_public is distinct from new.is_public or new.is_public and
        (old.created_at, old.price_cents, old.square_feet, old.latitude, old.longitude, old.type_id, old.bedrooms,
          old.bathrooms, old.title, old.address, old.city, old.state, old.zip, old.description) is distinct from
        (new.created_at, new.price_cents, new.square_feet, new.latitude, new.longitude, new.type_id, new.bedrooms,
          new.bathrooms, new.title, new.address, new.city, new.state, new.zip, new.description))
      execute function search_follow_property();

    create function search_follow_entry() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        insert into search_cells select * from search_cells_of(old, -1);
        insert into search_places select word, -1 from unnest(tsvector_to_array(old.words)) word where word ~ '^=[cz]';
      end if;
      if tg_op = 'DELETE' then return null; end if;
      insert into search_cells select * from search_cells_of(new, 1);
      insert into search_places select word, 1 from unnest(tsvector_to_array(new.words)) word where word ~ '^=[cz]';
      insert into search_words (word) select given.word from unnest(tsvector_to_array(new.words)) as given (word)
        where given.word !~ '^=[tbhpqsrngcz]' and not exists (select from search_words known where known.word = given.word);
      return null;
    end $$;
    create trigger search_entries_follow after insert or update or delete on search_entries
      for each row execute function search_follow_entry();
  `.execute(db);
}

const ONE_PLAN = `set work_mem = '64MB' set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0`;
const BY_WORDS = sql.raw(`set enable_seqscan = off set enable_indexscan = off ${ONE_PLAN}`);
const BY_ORDER = sql.raw(
  `set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off ${ONE_PLAN}`,
);

const HAS_REST = sql.raw('(rest is null or ts_match_vq(e.words, rest))');

/** The body of a function on the inverted index: two separate conditions merge twice as fast as one combined tsquery. */
const byWords = (answer: (asked: RawBuilder<unknown>) => RawBuilder<unknown>) => sql`
      if also is null then
        ${answer(sql.raw('e.words @@ query'))};
      else
        ${answer(sql.raw('e.words @@ query and e.words @@ also'))};
      end if;`;

const passes = (unindexed: '' | ' + 0') =>
  sql.raw(`e.type_id${unindexed} between f.type_low and f.type_high
    and e.price_cents${unindexed} between f.price_low and f.price_high
    and e.bedrooms${unindexed} >= f.beds and e.bathrooms${unindexed} >= f.baths
    and e.latitude${unindexed} between f.south and f.north and e.longitude${unindexed} between f.west and f.east`);

const ORDERS = {
  newest: 'e.created_at desc, e.property_id',
  'price-up': 'e.price_cents, e.property_id',
  'price-down': 'e.price_cents desc, e.property_id desc',
  largest: 'e.square_feet desc, e.property_id',
};
/** Without words an index-only scan suffices; with words each listing's tsvector is read. */
const walks = sql.join(
  Object.entries(ORDERS).map(
    ([sort, order]) => sql`
      if sort = ${sql.lit(sort)} and query is null then
        return query select e.property_id from search_entries e where ${passes('')}
          order by ${sql.raw(order)} offset first limit many;
      elsif sort = ${sql.lit(sort)} then
        return query select near.property_id from (select e.property_id, e.words from search_entries e
          where ${passes('')} order by ${sql.raw(order)} limit bound) near
          where ts_match_vq(near.words, query) offset first limit many;
      end if;`,
  ),
  sql``,
);

/**
 * The access paths. The caller picks one by its own estimates (features/search/plan.ts), and each function forces the
 * planner to that path: the planner's estimates are far off for word prefixes and for the map, where it assumes latitude
 * and longitude to be independent. '+ 0' keeps a filter from using its own index.
 */
async function accessPaths(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type search_filter as (
      type_low smallint, type_high smallint, price_low bigint, price_high bigint, beds smallint, baths smallint,
      south double precision, north double precision, west double precision, east double precision
    );

    -- All hits by the inverted index, counted and sorted: the page from 'first' on, else the last page; one row without an
    -- id when there are none. Very common words are cheaper to recheck on the listings found by the other words: they are
    -- in 'rest'. With 'nearest' only hits up to that sort key count.
    create function search_match(
      query tsquery, also tsquery, rest tsquery, f search_filter, nearest double precision, sort text, first integer,
      many integer
    ) returns table (id uuid, total integer) language plpgsql stable rows 25 ${BY_WORDS} as $$
    begin${byWords(
      (asked) => sql`return query with hits as materialized (
        select hit.property_id, hit.key from (
          select e.property_id, case sort when 'newest' then -date_part('epoch', e.created_at)
            when 'largest' then -e.square_feet when 'price-down' then -e.price_cents else e.price_cents end as key
          from search_entries e where ${asked} and ${passes(' + 0')} and ${HAS_REST}
        ) hit where nearest is null or hit.key <= nearest
      )
      select page.property_id, counted.n from (select count(*)::integer as n from hits) counted left join lateral (
        select hits.property_id from hits
        order by hits.key, case when sort = 'price-down' then hits.property_id end desc, hits.property_id
        offset least(first, greatest(counted.n - 1, 0) / (many - 1) * (many - 1)) limit many) page on true`,
    )}
    end $$;

    -- The first hits in the order of an index that covers every filter; with words it stops after 'bound' listings.
    create function search_walk(query tsquery, f search_filter, sort text, first integer, many integer, bound integer)
      returns setof uuid language plpgsql stable rows 25 ${BY_ORDER} as $$
    begin${walks}
    end $$;

    -- A few hits by the inverted index, in any order.
    create function search_some(query tsquery, also tsquery, rest tsquery, many integer) returns setof uuid
      language plpgsql stable rows 10 ${BY_WORDS} as $$
    begin${byWords(
      (asked) =>
        sql`return query select e.property_id from search_entries e where ${asked} and ${HAS_REST} limit many`,
    )}
    end $$;

    -- Hits by the inverted index, counted up to 'most'.
    create function search_count(query tsquery, also tsquery, rest tsquery, f search_filter, most integer)
      returns integer language plpgsql stable ${BY_WORDS} as $$
    begin${byWords(
      (
        asked,
      ) => sql`return (select count(*) from (select from search_entries e where ${asked} and ${passes(' + 0')}
        and ${HAS_REST} limit most) hits)`,
    )}
    end $$;

    -- Hits among the listings whose random id is below 'cut': a uniform random sample. The otherwise unneeded order by
    -- forces the index on the ids.
    create function search_sample(query tsquery, f search_filter, cut uuid) returns integer
      language plpgsql stable ${BY_ORDER} as $$
    begin
      if query is null then
        return (select count(*) from (select from search_entries e where e.property_id < cut and ${passes('')}
          order by e.property_id) hits);
      end if;
      return (select count(*) from (select from search_entries e where e.property_id < cut and ${passes('')}
        and ts_match_vq(e.words, query) order by e.property_id) hits);
    end $$;

    -- Hits per map cell of 'step' degrees, from all listings or from a random sample.
    create function search_squares(
      query tsquery, also tsquery, rest tsquery, f search_filter, step double precision
    ) returns table (entries integer, latitude double precision, longitude double precision, id uuid)
      language plpgsql stable rows 300 ${BY_WORDS} as $$
    begin${byWords(
      (
        asked,
      ) => sql`return query select count(*)::integer, avg(e.latitude), avg(e.longitude), (array_agg(e.property_id))[1]
      from search_entries e where ${asked} and e.latitude <= 90 and ${passes(' + 0')} and ${HAS_REST}
      group by floor((e.latitude + 90) / step), floor((e.longitude + 180) / step)`,
    )}
    end $$;
    create function search_squares_sample(query tsquery, f search_filter, step double precision, cut uuid)
      returns table (entries integer, latitude double precision, longitude double precision)
      language plpgsql stable rows 300 ${BY_ORDER} as $$
    begin
      if query is null then
        return query select count(*)::integer, avg(hit.latitude), avg(hit.longitude) from (
          select e.latitude, e.longitude from search_entries e where e.property_id < cut and e.latitude <= 90
            and ${passes('')} order by e.property_id) hit
        group by floor((hit.latitude + 90) / step), floor((hit.longitude + 180) / step);
        return;
      end if;
      return query select count(*)::integer, avg(hit.latitude), avg(hit.longitude) from (
        select e.latitude, e.longitude from search_entries e where e.property_id < cut and e.latitude <= 90
          and ${passes('')} and ts_match_vq(e.words, query) order by e.property_id) hit
      group by floor((hit.latitude + 90) / step), floor((hit.longitude + 180) / step);
    end $$;
  `.execute(db);
}
