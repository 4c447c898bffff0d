import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { abbreviationGroups } from '#platform/postal-abbreviations.ts';

const DIRECTIONS = {
  n: 'north',
  s: 'south',
  e: 'east',
  w: 'west',
  ne: 'northeast north east',
  nw: 'northwest north west',
  se: 'southeast south east',
  sw: 'southwest south west',
};
export const UNITS = 'unit apt apartment suite ste';
const ONES = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const TEENS =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

const STATES = `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia
FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland
MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey
NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico
RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington
WV West Virginia|WI Wisconsin|WY Wyoming`;

const groupsOf = (text: string): string[][] =>
  text
    .trim()
    .split(/[|\n]/)
    .map((group) => group.trim().toLowerCase().split(' '));

/** What else each word of an address is written as, words separated by spaces. */
export function otherWords(): Record<string, string> {
  const others = new Map<string, Set<string>>();
  const add = (word: string, also: readonly string[]) => {
    const known = others.get(word) ?? new Set();
    for (const one of also) if (one !== word) known.add(one);
    others.set(word, known);
  };
  for (const group of abbreviationGroups) {
    for (const word of group) add(word, group.slice(0, 2));
  }
  for (const [short, words] of Object.entries(DIRECTIONS)) {
    const long = words.split(' ');
    add(short, long);
    add(long[0] ?? '', [short, ...long]);
  }
  for (const word of UNITS.split(' ')) add(word, UNITS.split(' '));
  for (let number = 1; number < 100; number++) {
    const [ten, one] = [Math.floor(number / 10), number % 10];
    const ending = ten === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][one] ?? 'th');
    const single = ten === 0 ? ONES[one - 1] : ten === 1 ? TEENS[one] : null;
    const tens = TENS[ten - 2] ?? '';
    const words = single ? [single] : one === 0 ? [tens.replace(/y$/, 'ieth')] : [tens, ONES[one - 1] ?? ''];
    add(`${number}${ending}`, words);
    // 'Forty-Second Street' is 42nd Street: two words that follow each other.
    add(words.join(' '), [`${number}${ending}`]);
  }
  return Object.fromEntries([...others].map(([word, also]) => [word, [...also].join(' ')]));
}

/** Places are abbreviated in these words alone: 'Lake Park' is no abbreviation of anything. */
export const PLACE_WORDS = { st: 'saint', saint: 'st', ft: 'fort', fort: 'ft', mt: 'mount', mount: 'mt' };

export function stateNames(): Record<string, string> {
  const names: Record<string, string> = {};
  for (const [code = '', ...name] of groupsOf(STATES)) {
    names[code] = name.join(' ');
    names[name.join(' ')] = code;
  }
  return names;
}

export const json = (value: unknown) => sql.raw(`'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`);

/**
 * Listings are found by each way of writing their address: suffixes, directions, units, ordinals, Saint, Fort and Mount, and states
 * are stored in full and abbreviated, and each number of a range such as 9400-9408.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- How else the words of an address are written, and the numbers within a range at its beginning.
    create function address_words(address text) returns text[] language plpgsql immutable parallel safe as $$
    declare
      words text[] := string_to_array(search_text(address), ' ');
      others constant jsonb := ${json(otherWords())};
      found text[] := '{}';
      also text;
      bounds text[];
      low integer;
      high integer;
    begin
      for place in 1..coalesce(array_length(words, 1), 0) loop
        also := concat_ws(' ', others ->> words[place], others ->> (words[place] || ' ' || words[place + 1]));
        if also <> '' then found := found || string_to_array(also, ' '); end if;
      end loop;
      if address ~ '#' then found := found || string_to_array(${sql.lit(UNITS)}, ' '); end if;
      bounds := regexp_match(address, '^\\s*(\\d{1,6})\\s*[-–]\\s*(\\d{1,6})\\y');
      if bounds is not null then
        low := bounds[1]::integer;
        -- '9400-08' is short for '9400-9408'.
        high := (case when length(bounds[2]) < length(bounds[1])
          then left(bounds[1], length(bounds[1]) - length(bounds[2])) else '' end || bounds[2])::integer;
        if high > low and high - low <= 100 then
          found := found || array(select n::text from generate_series(low, high) n);
        end if;
      end if;
      return found;
    end $$;

    -- The same of a city and its state.
    create function place_words(city text, state text) returns text[] language plpgsql immutable parallel safe as $$
    declare
      known constant jsonb := ${json(PLACE_WORDS)};
      states constant jsonb := ${json(stateNames())};
    begin
      return array(select known ->> word from unnest(string_to_array(search_text(city), ' ')) word where known ? word)
        || string_to_array(coalesce(states ->> search_text(state), ''), ' ');
    end $$;
    -- A city as it is written otherwise; null when it is not.
    create function other_place(city text) returns text language plpgsql immutable parallel safe as $$
    declare known constant jsonb := ${json(PLACE_WORDS)};
    begin
      return nullif((select string_agg(coalesce(known ->> word, word), ' ' order by place)
        from unnest(string_to_array(search_text(city), ' ')) with ordinality w(word, place)), search_text(city));
    end $$;

    alter function search_lexemes(properties) rename to search_lexemes_as_written;
    create function search_lexemes(p properties) returns tsvector language plpgsql immutable parallel safe as $$
    declare
      also text[] := address_words(p.address);
      place text := other_place(p.city);
      state text := search_text(p.state);
      tags text[] := '{}';
    begin
      if length(state) <> 2 then state := (place_words('', p.state))[1]; end if;
      if length(state) = 2 then tags := tags || ('=u:' || state); end if;
      if place is not null then
        tags := tags || array[left('=c:' || place || ' ' || search_text(p.state) || '|'
          || concat_ws(', ', btrim(p.city), nullif(btrim(p.state), '')), 400)];
      end if;
      return search_lexemes_as_written(p) || array_to_tsvector(array(select distinct word
        from unnest(tags || also || array(select '=a:' || one from unnest(also) one) || place_words(p.city, p.state)) word
        where word <> ''));
    end $$;

    -- What is searched, anew. Its triggers would note each listing by itself; places and words are summed up at the end instead.
    drop index search_entries_words;
    alter table search_entries disable trigger search_entries_follow;
    update search_entries e set words = search_lexemes(p) from properties p where p.id = e.property_id;
    alter table search_entries enable trigger search_entries_follow;
    create index search_entries_words on search_entries using gin (words) with (gin_pending_list_limit = 256);
    delete from search_words;
    insert into search_words select word, ndoc from ts_stat('select words from search_entries') where word !~ '^=[tbhpqsrngcz]';
    delete from search_places;
    insert into search_places select word, ndoc from ts_stat('select words from search_entries') where word ~ '^=[cz]';
  `.execute(db);
}
