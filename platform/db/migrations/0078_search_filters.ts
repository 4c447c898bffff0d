import type { Kysely } from 'kysely';
import { type RawBuilder, sql } from 'kysely';

/** The words that name each amenity, in the order of its bit; an empty key takes words that only look like one. */
const AMENITIES: readonly (readonly [key: string, phrases: string])[] = [
  ['pool', 'pool|pools|swimming pool'],
  ['garage', 'garage|garages'],
  ['parking', 'parking|carport|parking space|parking spaces|off street parking'],
  [
    'waterfront',
    'waterfront|water front|lakefront|lake front|riverfront|river front|oceanfront|ocean front|beachfront|beach front|bayfront|canalfront|creekfront',
  ],
  [
    'water-view',
    'water view|water views|lake view|lake views|river view|river views|ocean view|ocean views|bay view|bay views|harbor view|harbor views|sea view|sea views',
  ],
  ['mountain-view', 'mountain view|mountain views|views of the mountains|views of the mountain'],
  ['dock', 'dock|docks|boat dock|boathouse|boat house|boat slip|boat lift'],
  ['fireplace', 'fireplace|fireplaces|wood stove|wood burning stove'],
  ['basement', 'basement|basements'],
  [
    'air-conditioning',
    'air conditioning|air conditioned|air conditioner|central air|central ac|heat pump|mini split',
  ],
  ['solar', 'solar panels|solar power|solar system|solar array|solar'],
  ['ev-charger', 'ev charger|ev charging|car charger|vehicle charger|electric car charger|charging station'],
  ['garden', 'garden|gardens'],
  ['fenced-yard', 'fenced|fenced yard|fenced in'],
  ['patio', 'patio|patios|deck|decks'],
  ['balcony', 'balcony|balconies'],
  ['porch', 'porch|porches'],
  ['hot-tub', 'hot tub|jacuzzi|spa|sauna'],
  ['laundry', 'laundry|laundry room|washer'],
  ['workshop', 'workshop|workbench|workroom'],
  [
    'guest-house',
    'guest house|guest suite|guest cottage|guesthouse|casita|in law suite|mother in law|adu|accessory dwelling',
  ],
  ['horses', 'barn|barns|stable|stables|horse|horses|equestrian'],
  ['accessible', 'wheelchair|wheelchair access|wheelchair accessible|accessible'],
  ['gated', 'gated|gated community'],
  ['elevator', 'elevator|elevators'],
  ['furnished', 'furnished|fully furnished'],
  ['new-construction', 'new construction|newly built|newly constructed|brand new home'],
  ['fixer-upper', 'fixer|fixer upper|needs work|needs tlc|handyman special'],
  ['', 'pool table|pool room|loading dock|loading docks|garden city|garage sale|deck of cards'],
];
export const NEGATIONS = 'no |without |without a |without an |not ';

export const BIT_OF = Object.fromEntries(
  AMENITIES.flatMap(([key, phrases], bit) => phrases.split('|').map((phrase) => [phrase, key ? bit : -1])),
);
export const AMENITY_KEYS = AMENITIES.map(([key]) => key).filter(Boolean);
const literal = (text: string) => sql.raw(`'${text}'`);

/**
 * The public search filters by square feet, lot, year and amenities too, and goes on from where a page ended. Saved searches know the
 * same filters. (docs/decisions/003-search.md)
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await entries(db);
  await triggers(db);
  await fill(db);
  await accessPaths(db);
  await savedSearches(db);
}

async function entries(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The bits of the amenities that the seller ticked or that title and description name, in features/search/amenities.ts.
    create function search_amenities(p properties) returns integer language plpgsql stable parallel safe as $$
    declare
      known constant jsonb := ${literal(JSON.stringify(BIT_OF))}::jsonb;
      bits integer := 0;
      bit integer;
      phrase text;
    begin
      for phrase in select match[1] from regexp_matches(search_text(concat_ws(' . ', p.title, p.description,
        (select string_agg(a.name, ' . ') from property_amenities pa join amenities a on a.id = pa.amenity_id
          where pa.property_id = p.id))),
        ${literal(`\\m(?:${NEGATIONS})?(?:${Object.keys(BIT_OF).join('|')})\\M`)}, 'g') match
      loop
        bit := (known ->> phrase)::integer;
        -- 'no pool' is not in the list, nor is what only looks like an amenity.
        if bit >= 0 then bits := bits | (1 << bit); end if;
      end loop;
      return bits;
    end $$;

    -- Marks of what is filtered by: '=l' and '=o' are classes of the lot like '=s' and '=r' of the size, '=y' is the year and '=yd' its
    -- decade, '=m:' an amenity. What is smaller than the smallest class is in '=s0' and '=l0'.
    create function search_filter_lexemes(p properties, amenities integer) returns tsvector
      language plpgsql immutable parallel safe as $$
    declare
      keys constant text[] := ${literal(`{${AMENITY_KEYS.join(',')}}`)};
      lot text := trunc(p.lot_square_feet)::text;
      tags text[] := '{}';
    begin
      if p.square_feet >= 0 and p.square_feet < 100 then tags := tags || text '=s0'; end if;
      if length(lot) > 8 then tags := tags || text '=l9';
      elsif length(lot) > 2 then
        tags := tags || array['=l' || length(lot) || left(lot, 1), '=o' || length(lot) || left(lot, 2)];
      elsif lot is not null then tags := tags || text '=l0';
      end if;
      if p.year_built is not null then
        tags := tags || array['=y' || p.year_built, '=yd' || p.year_built / 10];
      end if;
      for bit in 0..${sql.lit(AMENITY_KEYS.length - 1)} loop
        if amenities & (1 << bit) <> 0 then tags := tags || ('=m:' || keys[bit + 1]); end if;
      end loop;
      return array_to_tsvector(tags);
    end $$;

    alter table search_entries
      add column lot_square_feet double precision not null default -1,
      add column year_built smallint not null default -1,
      add column amenities integer not null default 0;

    drop function search_entry(properties);
    create function search_entry(p properties) returns search_entries language plpgsql stable parallel safe as $$
    declare bits integer := search_amenities(p);
    begin
      return row(p.id, p.created_at, p.price_cents, coalesce(p.square_feet, -1), coalesce(p.latitude, 999),
        coalesce(p.longitude, 999), coalesce(p.type_id, 0), coalesce(p.bedrooms, -1), coalesce(p.bathrooms, -1),
        search_lexemes(p) || search_filter_lexemes(p, bits), coalesce(p.lot_square_feet, -1), coalesce(p.year_built, -1),
        bits)::search_entries;
    end $$;
  `.execute(db);
}

async function triggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function search_follow_property() returns trigger language plpgsql as $$
    begin
      if not new.is_public then
        delete from search_entries where property_id = new.id;
      else
        insert into search_entries select (entry).* from (select search_entry(new) as entry offset 0) made
        on conflict (property_id) do update set (created_at, price_cents, square_feet, latitude, longitude, type_id,
          bedrooms, bathrooms, words, lot_square_feet, year_built, amenities) = (excluded.created_at, excluded.price_cents,
          excluded.square_feet, excluded.latitude, excluded.longitude, excluded.type_id, excluded.bedrooms,
          excluded.bathrooms, excluded.words, excluded.lot_square_feet, excluded.year_built, excluded.amenities);
      end if;
      return null;
    end $$;
    create trigger search_update_filters after update on properties
      for each row when (old.is_public and new.is_public and
        (old.lot_square_feet, old.year_built) is distinct from (new.lot_square_feet, new.year_built))
      execute function search_follow_property();

    -- Amenities are written after their listing.
    create function search_follow_amenities() returns trigger language plpgsql as $$
    begin
      update search_entries e set (words, amenities) = (fresh.words, fresh.amenities)
      from (select (entry).* from (select search_entry(p) as entry from properties p
        where p.is_public and p.id in (select property_id from changed) offset 0) made) fresh
      where e.property_id = fresh.property_id and e.amenities <> fresh.amenities;
      return null;
    end $$;
    create trigger search_amenities_added after insert on property_amenities
      referencing new table as changed for each statement execute function search_follow_amenities();
    create trigger search_amenities_removed after delete on property_amenities
      referencing old table as changed for each statement execute function search_follow_amenities();
  `.execute(db);
}

/** What is there already, without its triggers: only marks come in addition, which count nowhere but in the dictionary. */
async function fill(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index search_entries_words, search_entries_sample, search_entries_newest, search_entries_price,
      search_entries_largest;
    alter table search_entries disable trigger search_entries_follow;
    update search_entries e set (words, lot_square_feet, year_built, amenities)
        = (fresh.words, fresh.lot_square_feet, fresh.year_built, fresh.amenities)
      from (select (entry).* from (select search_entry(p) as entry from properties p where p.is_public offset 0) made) fresh
      where e.property_id = fresh.property_id;
    alter table search_entries enable trigger search_entries_follow;
    insert into search_words select word, ndoc from ts_stat('select words from search_entries') where word ~ '^=[loym]';
    create index search_entries_words on search_entries using gin (words) with (gin_pending_list_limit = 256);
    create index search_entries_sample on search_entries (property_id, type_id, price_cents, bedrooms, bathrooms,
      latitude, longitude, square_feet, lot_square_feet, year_built, amenities);
    create index search_entries_newest on search_entries (created_at desc, property_id, type_id, price_cents, bedrooms,
      bathrooms, latitude, longitude, square_feet, lot_square_feet, year_built, amenities);
    create index search_entries_price on search_entries (price_cents, property_id, type_id, bedrooms, bathrooms,
      latitude, longitude, square_feet, lot_square_feet, year_built, amenities);
    create index search_entries_largest on search_entries (square_feet desc, property_id, type_id, price_cents, bedrooms,
      bathrooms, latitude, longitude, lot_square_feet, year_built, amenities);
  `.execute(db);
}

const ONE_PLAN = `set work_mem = '64MB' set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0`;
const BY_WORDS = sql.raw(`set enable_seqscan = off set enable_indexscan = off ${ONE_PLAN}`);
const BY_ORDER = sql.raw(
  `set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off ${ONE_PLAN}`,
);
const HAS_REST = sql.raw('(rest is null or ts_match_vq(e.words, rest))');

/** What the many searches without them would only spend time on. */
const HAS_MORE =
  sql.raw(`(f.size_low, f.size_high, f.lot_low, f.lot_high, f.year_low, f.year_high, f.amenities)
  is distinct from (-1::float8, 1e15::float8, -1::float8, 1e15::float8, -1::smallint, 32767::smallint, 0)`);

const passes = (more: boolean, unindexed: '' | ' + 0') =>
  sql.raw(`e.type_id${unindexed} between f.type_low and f.type_high
    and e.price_cents${unindexed} between f.price_low and f.price_high
    and e.bedrooms${unindexed} >= f.beds and e.bathrooms${unindexed} >= f.baths
    and e.latitude${unindexed} between f.south and f.north and e.longitude${unindexed} between f.west and f.east${
      more
        ? `
    and e.square_feet${unindexed} between f.size_low and f.size_high
    and e.lot_square_feet${unindexed} between f.lot_low and f.lot_high
    and e.year_built${unindexed} between f.year_low and f.year_high
    and e.amenities & f.amenities = f.amenities`
        : ''
    }`);

/** A statement with and without the further filters. */
const withAndWithout = (answer: (more: boolean) => RawBuilder<unknown>) => sql`
      if ${HAS_MORE} then ${answer(true)}
      else ${answer(false)}
      end if;`;

/** The body of a function on the inverted index: two separate conditions merge twice as fast as one combined tsquery. */
const byWords = (answer: (asked: RawBuilder<unknown>, filter: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  withAndWithout(
    (more) => sql`
        if also is null then ${answer(sql.raw('e.words @@ query'), passes(more, ' + 0'))};
        else ${answer(sql.raw('e.words @@ query and e.words @@ also'), passes(more, ' + 0'))};
        end if;`,
  );

/** The order of each sort, and what comes after the listing at which a page ended. */
const ORDERS = {
  newest: [
    'e.created_at desc, e.property_id',
    'e.created_at <= since and (e.created_at < since or e.property_id > after_id)',
  ],
  'price-up': [
    'e.price_cents, e.property_id',
    'e.price_cents >= least_price and (e.price_cents > least_price or e.property_id > after_id)',
  ],
  'price-down': [
    'e.price_cents desc, e.property_id desc',
    'e.price_cents <= most_price and (e.price_cents < most_price or e.property_id < after_id)',
  ],
  largest: [
    'e.square_feet desc, e.property_id',
    'e.square_feet <= most_size and (e.square_feet < most_size or e.property_id > after_id)',
  ],
} as const;

/** Without words an index-only scan suffices; with words each listing's tsvector is read. */
const walks = (more: boolean) =>
  sql.join(
    Object.entries(ORDERS).map(
      ([sort, [order, following]]) => sql`
        if sort = ${sql.lit(sort)} and query is null then
          return query select e.property_id from search_entries e where ${passes(more, '')} and ${sql.raw(following)}
            order by ${sql.raw(order)} offset first limit many;
        elsif sort = ${sql.lit(sort)} then
          return query select near.property_id from (select e.property_id, e.words from search_entries e
            where ${passes(more, '')} and ${sql.raw(following)} order by ${sql.raw(order)} limit bound) near
            where ts_match_vq(near.words, query) offset first limit many;
        end if;`,
    ),
    sql``,
  );

/** The statement of search_squares_sample; without words an index-only scan suffices. */
const squaresOf = (more: boolean, having: RawBuilder<unknown>) => sql`
          return query select count(*)::integer, avg(hit.latitude), avg(hit.longitude) from (
            select e.latitude, e.longitude from search_entries e where e.property_id < cut and e.latitude <= 90
              and ${passes(more, '')} ${having} order by e.property_id) hit
          group by floor((hit.latitude + 90) / step), floor((hit.longitude + 180) / step);`;

/** The access paths as they were (0007), with the further filters and the listing after which a page begins. */
async function accessPaths(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter type search_filter
      add attribute size_low double precision, add attribute size_high double precision,
      add attribute lot_low double precision, add attribute lot_high double precision,
      add attribute year_low smallint, add attribute year_high smallint, add attribute amenities integer;

    drop function search_match(tsquery, tsquery, tsquery, search_filter, double precision, text, integer, integer);
    drop function search_walk(tsquery, search_filter, text, integer, integer, integer);

    -- All hits by the inverted index, counted and sorted: the page from 'first' on, else the last page; one row without an
    -- id when there are none. With 'after' and 'after_id', the sort key and id of a listing, what follows it. Very common words are
    -- cheaper to recheck on the listings found by the other words: they are in 'rest'. With 'nearest' only hits up to that sort key count.
    create function search_match(
      query tsquery, also tsquery, rest tsquery, f search_filter, nearest double precision, sort text, first integer,
      many integer, after double precision default null, after_id uuid default null
    ) returns table (id uuid, total integer) language plpgsql stable rows 25 ${BY_WORDS} as $$
    begin${byWords(
      (asked, filter) => sql`return query with hits as materialized (
        select hit.property_id, hit.key from (
          select e.property_id, case sort when 'newest' then -date_part('epoch', e.created_at)
            when 'largest' then -e.square_feet when 'price-down' then -e.price_cents else e.price_cents end as key
          from search_entries e where ${asked} and ${filter} and ${HAS_REST}
        ) hit where nearest is null or hit.key <= nearest
      )
      select page.property_id, counted.n from (select count(*)::integer as n from hits) counted left join lateral (
        select hits.property_id from hits
        where after is null or hits.key > after
          or (hits.key = after and case when sort = 'price-down' then hits.property_id < after_id else hits.property_id > after_id end)
        order by hits.key, case when sort = 'price-down' then hits.property_id end desc, hits.property_id
        offset case when after is null then least(first, greatest(counted.n - 1, 0) / (many - 1) * (many - 1)) else 0 end
        limit many) page on true`,
    )}
    end $$;

    -- The first hits in the order of an index that covers every filter, or those after 'after' and 'after_id'; with words it stops
    -- after 'bound' listings.
    create function search_walk(query tsquery, f search_filter, sort text, first integer, many integer, bound integer,
      after double precision default null, after_id uuid default null)
      returns setof uuid language plpgsql stable rows 25 ${BY_ORDER} as $$
    declare
      since timestamptz := case when sort = 'newest' and after is not null then to_timestamp(-after) else 'infinity' end;
      least_price bigint := case when sort = 'price-up' and after is not null then after else -1 end;
      most_price bigint := case when sort = 'price-down' and after is not null then -after else 9007199254740991 end;
      most_size double precision := case when sort = 'largest' and after is not null then -after else 'infinity' end;
    begin${withAndWithout(walks)}
    end $$;

    create or replace function search_count(query tsquery, also tsquery, rest tsquery, f search_filter, most integer)
      returns integer language plpgsql stable ${BY_WORDS} as $$
    begin${byWords(
      (asked, filter) => sql`return (select count(*) from (
        select from search_entries e where ${asked} and ${filter} and ${HAS_REST} limit most) hits)`,
    )}
    end $$;

    create or replace function search_sample(query tsquery, f search_filter, cut uuid) returns integer
      language plpgsql stable ${BY_ORDER} as $$
    begin${withAndWithout(
      (more) => sql`
        if query is null then
          return (select count(*) from (select from search_entries e where e.property_id < cut and ${passes(more, '')}
            order by e.property_id) hits);
        else
          return (select count(*) from (select from search_entries e where e.property_id < cut and ${passes(more, '')}
            and ts_match_vq(e.words, query) order by e.property_id) hits);
        end if;`,
    )}
    end $$;

    create or replace function search_squares(
      query tsquery, also tsquery, rest tsquery, f search_filter, step double precision
    ) returns table (entries integer, latitude double precision, longitude double precision, id uuid)
      language plpgsql stable rows 300 ${BY_WORDS} as $$
    begin${byWords(
      (
        asked,
        filter,
      ) => sql`return query select count(*)::integer, avg(e.latitude), avg(e.longitude), (array_agg(e.property_id))[1]
      from search_entries e where ${asked} and e.latitude <= 90 and ${filter} and ${HAS_REST}
      group by floor((e.latitude + 90) / step), floor((e.longitude + 180) / step)`,
    )}
    end $$;
    create or replace function search_squares_sample(query tsquery, f search_filter, step double precision, cut uuid)
      returns table (entries integer, latitude double precision, longitude double precision)
      language plpgsql stable rows 300 ${BY_ORDER} as $$
    begin${withAndWithout(
      (more) => sql`
        if query is null then ${squaresOf(more, sql``)}
        else ${squaresOf(more, sql`and ts_match_vq(e.words, query)`)}
        end if;`,
    )}
    end $$;
  `.execute(db);
}

/** Both indexes get the columns at their end, so that they keep what other migrations gave them. */
async function savedSearches(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table saved_searches
      add column min_square_feet integer not null default -1,
      add column max_square_feet integer not null default 2147483647,
      add column min_lot_square_feet bigint not null default -1,
      add column max_lot_square_feet bigint not null default 9007199254740991,
      add column min_year smallint not null default -1,
      add column max_year smallint not null default 32767,
      add column amenities integer not null default 0,
      -- as typed; its words are among 'words'
      add column keywords text not null default '' check (length(keywords) <= 200),
      drop constraint saved_searches_words_check,
      add constraint saved_searches_words_check check (cardinality(words) <= 24);
    do $$
    declare
      more constant text := 'min_square_feet, max_square_feet, min_lot_square_feet, max_lot_square_feet, min_year, max_year, amenities';
      once text := pg_get_indexdef('saved_searches_once'::regclass);
      matching text := pg_get_indexdef('saved_searches_match'::regclass);
    begin
      drop index saved_searches_once, saved_searches_match;
      execute regexp_replace(once, '\\)$', ', ' || more || ')');
      execute regexp_replace(matching, '(INCLUDE \\([^)]*)\\)', '\\1, ' || more || ')');
    end $$;
  `.execute(db);
}
