import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { NamedPlace } from './model.ts';
import { marksOfPlaces, type PlaceMarks } from './place-marks.ts';
import { codeOfState } from './states.ts';
import type { Term } from './terms.ts';

/** The longest name of a place, in words, with its state. */
const MAX_PLACE_WORDS = 6;
const zip = /^\d{5}$/;
/** Words that make an address of what would otherwise be a place: 'Boston Avenue'. */
const ofStreets = new Set(
  `st street ave av avenue rd road dr drive ln lane blvd boulevard way ct court pl place ter terrace cir circle hwy highway
  pkwy parkway trl trail sq square n s e w ne nw se sw north south east west unit apt suite ste`.split(/\s+/),
);
/** More places of one name are not offered. */
const MAX_NAMESAKES = 8;

/** Places that typed words name. */
export interface PlaceReading {
  /** the listings there; several when the words name one place within another */
  terms: Term[];
  /** words that name no place */
  others: string[];
  /** when the words alone name several cities or neighborhoods: each of them, the one with the most listings first */
  namesakes: NamedPlace[];
  /** the name of the place, in words; of several, of each */
  named: string;
  /** what a saved search keeps of each */
  marks: PlaceMarks[];
}

/** A run of words that names a place. */
interface Named {
  from: number;
  to: number;
  term: Term;
  namesakes: NamedPlace[];
  marks: PlaceMarks;
}

/**
 * Cities, neighborhoods, ZIP codes and states that the words name, in the order to try them: all of them together, as
 * 'Downtown Boise Idaho'; then the longest name alone, with the other words looked for there. None when the words are an address.
 */
export async function placesNamed(ctx: Ctx, words: readonly string[]): Promise<PlaceReading[]> {
  if (words.some((word) => /\d/.test(word) && !zip.test(word))) return [];
  const all = await longestNames(ctx, words);
  if (all.length === 0) return [];
  const readings = [readingOf(words, all)];
  if (all.length > 1) readings.push(...all.map((one) => readingOf(words, [one])));
  return readings.filter(({ others }) => isNoAddress(words, others)).slice(0, 3);
}

/** Runs of the words that name places with listings, the longest first, none of them within another; `to` is the word after the last. */
export async function longestNames(ctx: Ctx, words: readonly string[]): Promise<Named[]> {
  const named = (await namedPlaces(ctx, words)).sort(
    (a, b) => b.to - b.from - (a.to - a.from) || b.to - a.to || b.term.entries - a.term.entries,
  );
  const all: Named[] = [];
  for (const one of named) if (all.every(({ from, to }) => one.to <= from || one.from >= to)) all.push(one);
  return all;
}

function readingOf(words: readonly string[], places: readonly Named[]): PlaceReading {
  const within = (at: number) => places.some(({ from, to }) => at >= from && at < to);
  return {
    terms: places.map(({ term }) => term),
    others: words.filter((_, at) => !within(at)),
    namesakes: places.length === 1 ? (places[0]?.namesakes ?? []) : [],
    named: words.filter((_, at) => within(at)).join(' '),
    marks: places.map(({ marks }) => marks),
  };
}

/** A number before other words is that of a house, and a suffix or direction is of a street. */
const isNoAddress = (words: readonly string[], others: readonly string[]): boolean =>
  others.every((one) => !ofStreets.has(one)) && !(others.length > 0 && zip.test(words[0] ?? ''));

interface Run {
  from: number;
  to: number;
  name: string;
  /** the code of the state with this name */
  state: string | null;
}

/** A place with listings that has the name of a run. */
interface Found {
  n: number;
  place: string;
  entries: number;
}

/** Runs of the words that name a place in full, cities with or without their state. */
async function namedPlaces(ctx: Ctx, words: readonly string[]): Promise<Named[]> {
  const runs = runsOf(words);
  const { rows } = await sql<Found>`
    select given.n::integer as n, found.place, found.entries
    from unnest(${runs.map(({ name }) => name)}::text[]) with ordinality given (name, n)
    cross join lateral (
      select place, sum(entries)::float8 as entries from search_places
      where (place ~>=~ ('=c:' || given.name || ' ') and place ~<~ ('=c:' || given.name || '!')
          or place ~>=~ ('=c:' || given.name || '|') and place ~<~ ('=c:' || given.name || '}'))
        and split_part(place, '|', 1) in ('=c:' || given.name,
          '=c:' || given.name || ' ' || lower(btrim(coalesce(substring(split_part(place, '|', 2) from ', ([^,]*)$'), ''))))
      group by place having sum(entries) > 0
      union all
      select place, sum(entries) from search_places
      where place ~>=~ ('=d:' || given.name || '|') and place ~<~ ('=d:' || given.name || '}')
      group by place having sum(entries) > 0
      union all
      select place, sum(entries) from search_places
      where given.name ~ '^[0-9]{5}$' and (place ~>=~ ('=z:' || given.name || '|') and place ~<~ ('=z:' || given.name || '}')
        or place ~>=~ ('=z:' || given.name || ' ') and place ~<~ ('=z:' || given.name || '!'))
      group by place having sum(entries) > 0
      union all
      select word, max(entries) from search_words where word = '=u:' || ${sql`(${runs.map(({ state }) => state ?? '')}::text[])[given.n]`}
      group by word) found`.execute(ctx.db.replica());
  return runs.flatMap((run, index) => {
    const named = placeOf(
      run,
      rows.filter(({ n }) => n === index + 1),
    );
    return named ? [named] : [];
  });
}

function runsOf(words: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_PLACE_WORDS); to++) {
      const run = words.slice(from, to);
      const name = run.join(' ');
      // 'in' and 'or' are words more often than states.
      runs.push({ from, to, name, state: name.length > 2 || words.length === 1 ? codeOfState(name) : null });
      // 'Saint Paul Minnesota' is in the index as 'saint paul mn'.
      for (let at = 1; at < run.length; at++) {
        const state = codeOfState(run.slice(at).join(' '));
        if (state && run.slice(at).join(' ') !== state)
          runs.push({ from, to, name: `${run.slice(0, at).join(' ')} ${state}`, state: null });
      }
    }
  }
  return runs;
}

const isCity = ({ place }: Found) => place.startsWith('=c:');
const isState = ({ place }: Found) => place.startsWith('=u:');

/**
 * What a run stands for: a city before a neighborhood of the same name, and a state only where no city of it has its name, since
 * New York is the city, but Washington is several cities and the state.
 */
function placeOf({ from, to, name, state }: Run, rows: readonly Found[]): Named | null {
  const cities = rows.filter(isCity);
  const own = cities.some(
    ({ place }) => state !== null && labelOf(place).endsWith(`, ${state.toUpperCase()}`),
  );
  const states = own ? [] : rows.filter(isState);
  const others = rows.filter((row) => !isCity(row) && !isState(row));
  const chosen = [...(cities.length > 0 ? cities : others), ...states];
  if (chosen.length === 0) return null;
  return {
    from,
    to,
    term: {
      lexemes: chosen.map(({ place }) => place),
      beginning: null,
      entries: chosen.reduce((sum, { entries }) => sum + entries, 0),
    },
    namesakes: states.length === 0 ? namesakesOf(chosen) : [],
    marks: marksOfPlaces(
      name,
      chosen.map(({ place }) => place),
    ),
  };
}

/** As it is written: the last part of its entry. */
const labelOf = (place: string): string => place.slice(place.lastIndexOf('|') + 1);

function namesakesOf(places: readonly Found[]): NamedPlace[] {
  const byLabel = new Map<string, NamedPlace>();
  for (const { place, entries } of places) {
    const label = labelOf(place);
    const key = label.toLowerCase();
    byLabel.set(key, { label, listings: (byLabel.get(key)?.listings ?? 0) + entries });
  }
  if (byLabel.size < 2) return [];
  return [...byLabel.values()].sort((a, b) => b.listings - a.listings).slice(0, MAX_NAMESAKES);
}
