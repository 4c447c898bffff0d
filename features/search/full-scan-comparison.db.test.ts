import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cached, invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type ReferenceListing, referenceSearch } from '#tests/support/reference-search.ts';
import { refreshSearchStatistics } from './commands/refresh-search-statistics.ts';
import { wordsStartingWith } from './dictionary.ts';
import type { DrawnArea } from './drawn-area.ts';
import type { SearchResult } from './execute-search.ts';
import { fetchPage } from './fetch-page.ts';
import { cheapestIndexQuery } from './index-query.ts';
import {
  anything,
  type Cursor,
  EXACT_TOTAL,
  PAGE_SIZE,
  type SearchCriteria,
  type SearchSort,
  sorts,
} from './model.ts';
import { nearestPart } from './nearest.ts';
import { mapMarkers, searchListings } from './reads.ts';
import { loadSearchStatistics } from './search-statistics.ts';
import { filterOf, queryText } from './terms.ts';

// Runs thousands of searches, so a busy machine needs more time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const LISTINGS = 2_500;
const SEARCHES = 200;
const streets = 'Maple Oak Hawkfield Silverbrook Main Juniper Élan Foxmoor Northgate Stonebridge'.split(' ');
const cities = ['Austin', 'Reno', 'Lebanon', 'Salt Lake City', 'Cañon City', 'Lake Austin'];
const vocabulary =
  `garage pool pools poolside kitchen quiet quietly koi pond ponds observatory barn barnyard sunny
  south southern 2car 12 120 1200 stone stonework brook view viewpoint casita ranch ranchette a an`.split(
    /\s+/,
  );
const typeNames: Record<number, string> = {
  1: 'Vacant Lot',
  2: 'Single Family',
  3: 'Multi-Family',
  4: 'Commercial',
};

/** A deterministic random generator; test names contain the seed, so that failures can be reproduced. */
function seededRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return { next, below, pick, chance: (share: number) => next() < share };
}

function randomListings({
  below,
  pick,
  chance,
  next,
}: ReturnType<typeof seededRandom>): Omit<ReferenceListing, 'id'>[] {
  return Array.from({ length: LISTINGS }, () => {
    const type = chance(0.05) ? null : 1 + Math.min(below(6), 3);
    const placed = chance(0.95);
    return {
      title: chance(0.5) ? null : `${pick(vocabulary)} on ${pick(streets)}`,
      address: `${1 + below(1_300)} ${pick(streets)} ${pick(['Street', 'Lane', 'Road', 'Court', 'Center'])}`,
      city: pick(cities),
      state: pick(['TX', 'NV', 'NH', 'UT']),
      zip: chance(0.2) ? '' : String(78_700 + below(40)),
      description: Array.from({ length: below(9) }, () => vocabulary[Math.floor(next() ** 2 * 27)]).join(' '),
      typeName: type === null ? null : (typeNames[type] ?? null),
      type_id: type,
      // Few distinct prices, sizes and times, so that ties are often broken by id alone.
      price_cents: chance(0.02) ? 1 + below(99_999_999_999) : (1 + below(60)) * 1_250_000,
      bedrooms: chance(0.2) ? null : below(12),
      bathrooms: chance(0.2) ? null : below(5),
      square_feet: chance(0.2) ? null : below(40) * 100.25,
      lot_square_feet: chance(0.2) ? null : Math.round(10 ** (6 * next())),
      year_built: chance(0.2) ? null : 1_940 + below(90),
      latitude: placed ? 30 + below(4_000) / 1_000 : null,
      longitude: placed ? -98 + below(4_000) / 1_000 : null,
      created_at: new Date(Date.UTC(2026, 0, 1) + below(500) * HOUR),
    };
  });
}

function randomCriteria({ below, pick, chance, next }: ReturnType<typeof seededRandom>): SearchCriteria {
  const word = () => {
    const whole = pick([
      ...vocabulary,
      ...streets,
      ...cities,
      ...Object.values(typeNames),
      'street',
      'lane',
      'strt',
      'crt',
      'cntr',
      'centre',
      '787',
      'tx',
    ]);
    if (chance(0.5)) return whole;
    const start = chance(0.2) ? below(3) : 0;
    return whole.slice(start, start + 1 + below(whole.length));
  };
  const south = 30 + next() * 4;
  const west = -98 + next() * 4;
  const size = pick([0.02, 0.2, 1, 4]);
  const [low, high] = [(1 + below(60)) * 1_250_000, (1 + below(60)) * 1_250_000].toSorted((a, b) => a - b);
  const range = (share: number, most: number) => {
    const [least = 0, greatest = 0] = [below(most), below(most)].toSorted((a, b) => a - b);
    return [chance(share) ? least : null, chance(share) ? greatest : null] as const;
  };
  const [minSqft, maxSqft] = range(0.15, 4_000);
  const [minLotSqft, maxLotSqft] = range(0.1, 60_000);
  const [minYear, maxYear] = range(0.1, 80).map((year) => year && 1_940 + year);
  return {
    text: chance(0.25) ? '' : Array.from({ length: 1 + below(3) }, word).join(pick([' ', ', ', '-'])),
    typeId: chance(0.7) ? null : 1 + below(4),
    minCents: chance(0.7) ? null : (low ?? null),
    maxCents: chance(0.7) ? null : (high ?? null),
    minBeds: chance(0.7) ? null : below(12),
    minBaths: chance(0.8) ? null : below(5),
    minSqft,
    maxSqft,
    minLotSqft,
    maxLotSqft,
    minYear: minYear ?? null,
    maxYear: maxYear ?? null,
    amenities: chance(0.85) ? [] : [pick(['garage', 'pool', 'horses'] as const)],
    keywords: chance(0.9) ? '' : pick(vocabulary),
    sort: pick(sorts),
    page: 1,
    after: null,
    bbox: chance(0.6) ? null : { south, west, north: south + size, east: west + size },
    area: chance(0.8) ? null : randomArea({ next, pick }),
  };
}

/** A slanted rectangle, whose corners need no rounding. */
function randomArea({ next, pick }: Pick<ReturnType<typeof seededRandom>, 'next' | 'pick'>): DrawnArea {
  const [latitude, longitude, size] = [30 + next() * 4, -98 + next() * 4, pick([0.2, 1, 4])];
  return [
    { latitude, longitude },
    { latitude: latitude + size / 2, longitude: longitude + size },
    { latitude: latitude + size, longitude: longitude + size / 2 },
    { latitude: latitude + size / 2, longitude: longitude - size / 2 },
  ];
}

await describeOnEachDatabase('search compared with a full scan', (open, kind) => {
  // The embedded database differs in its version and its plans, which fewer searches show.
  const searches = kind === 'server' ? SEARCHES : SEARCHES / 2;
  let db: Database;
  let ctx: Ctx;
  let listings: ReferenceListing[];
  const seed = Number(process.env.SEARCH_SEED ?? 20_261_121);
  const random = seededRandom(seed);
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const seller = await createUser(db, 'agent');
    const generated = randomListings(random);
    const columns = generated.map(({ typeName: _, ...row }) => ({ ...row, agent_id: seller.agentId ?? '' }));
    const ids: string[] = [];
    for (let from = 0; from < columns.length; from += 500) {
      const rows = columns.slice(from, from + 500).map((row) => ({ ...row, status: 'Active' as const }));
      const stored = await db.q().insertInto('properties').values(rows).returning('id').execute();
      ids.push(...stored.map((row) => row.id));
    }
    listings = generated.map((listing, index) => ({ ...listing, id: ids[index] ?? '' }));
  });
  afterAll(() => db.close());

  const compare = async (criteria: SearchCriteria) => {
    const expected = referenceSearch(listings, criteria);
    const found = await searchListings(ctx, criteria);
    const note = JSON.stringify(criteria);
    if (found.correctedTo !== null) {
      expect(expected, note).toEqual([]);
      return 'corrected';
    }
    expect(found.total, note).toBe(Math.min(expected.length, EXACT_TOTAL));
    expect(found.capped, note).toBe(expected.length > EXACT_TOTAL);
    const first = (found.page - 1) * PAGE_SIZE;
    expect(
      found.rows.map((row) => row.id),
      note,
    ).toEqual(expected.slice(first, first + PAGE_SIZE).map((row) => row.id));
    if (found.next) {
      const further = await searchListings(ctx, { ...criteria, page: found.page + 1, after: found.next });
      expect(
        further.rows.map((row) => row.id),
        `after the page of ${note}`,
      ).toEqual(expected.slice(first + PAGE_SIZE, first + 2 * PAGE_SIZE).map((row) => row.id));
    } else expect(expected.length, note).toBeLessThanOrEqual(first + PAGE_SIZE);
    return expected.length > 0 ? 'found' : 'nothing';
  };
  const compareMany = async (count: number) => {
    const outcomes = { found: 0, nothing: 0, corrected: 0 };
    for (let i = 0; i < count; i++) {
      outcomes[
        await compare({ ...randomCriteria(random), page: random.chance(0.2) ? 1 + random.below(9) : 1 })
      ]++;
    }
    return outcomes;
  };

  it(`finds the same without statistics, seed ${seed}`, async () => {
    const outcomes = await compareMany(searches / 2);
    expect(outcomes.found).toBeGreaterThan(searches / 10);
  });

  it(`finds the same with statistics, seed ${seed}`, async () => {
    await refreshSearchStatistics({ ...ctx, actor: { kind: 'system', name: 'test' } });
    const outcomes = await compareMany(searches);
    expect(outcomes.found).toBeGreaterThan(searches / 5);
    expect(outcomes.nothing).toBeGreaterThan(0);
  });

  it.each([0, 1, 40_000, 1_000_000_000])(
    `finds the same with wrong statistics: %i listings and random word counts, seed ${seed}`,
    async (size) => {
      const known = await loadSearchStatistics(ctx);
      await db
        .q()
        .updateTable('search_words')
        .set({ entries: sql`(random() ^ 4 * ${size})::integer` })
        .execute();
      invalidate(db, 'search_entries');
      await cached(db, 'search_entries', 'market', async () => ({ ...known, size }));
      await compareMany(searches / 3);
      invalidate(db, 'search_entries');
      await refreshSearchStatistics({ ...ctx, actor: { kind: 'system', name: 'test' } });
    },
  );

  it.each(sorts)('pages by %s without gaps or repeats, to the last listing', async (sort) => {
    for (const text of ['', 'kitchen']) {
      const criteria: SearchCriteria = { ...anything, text, sort };
      const expected = referenceSearch(listings, criteria).map((row) => row.id);
      const seen: string[] = [];
      for (let page = 1; page <= Math.ceil(expected.length / PAGE_SIZE); page++) {
        const result = await searchListings(ctx, { ...criteria, page });
        expect(result.page).toBe(page);
        expect(result.pageCount).toBe(Math.ceil(expected.length / PAGE_SIZE));
        seen.push(...result.rows.map((row) => row.id));
      }
      expect(seen).toEqual(expected);
      const following: string[] = [];
      for (let page = 1, after: Cursor | null = null; page === 1 || after; page++) {
        const result: SearchResult = await searchListings(ctx, { ...criteria, page, after });
        following.push(...result.rows.map((row) => row.id));
        after = result.next;
      }
      expect(following).toEqual(expected);
      const beyond = await searchListings(ctx, { ...criteria, page: 1_000_000 });
      expect(beyond.page).toBe(beyond.pageCount);
      expect(beyond.rows.at(-1)?.id).toBe(expected.at(-1));
    }
  });

  it(`finds every listing of the first part of a sorted list by its classes, seed ${seed}`, async () => {
    const statistics = await loadSearchStatistics(ctx);
    const { terms } = await wordsStartingWith(ctx, ['lane']);
    const keys: Record<SearchSort, (listing: ReferenceListing) => number> = {
      newest: ({ created_at }) => -created_at.getTime() / 1_000,
      largest: ({ square_feet }) => -(square_feet ?? -1),
      'price-up': ({ price_cents }) => price_cents,
      'price-down': ({ price_cents }) => -price_cents,
    };
    let parts = 0;
    for (let i = 0; i < 120; i++) {
      const criteria = { ...randomCriteria(random), text: 'lane', keywords: '' };
      const filter = filterOf(criteria);
      const hits = referenceSearch(listings, criteria);
      const wanted = random.below(40);
      const nearest = nearestPart(statistics, filter, criteria.sort, {
        wanted,
        hits: hits.length,
        now: ctx.now(),
      });
      const query = nearest && cheapestIndexQuery(statistics, filter, terms, Infinity, nearest);
      if (!query) continue;
      parts++;
      const front = hits.filter((listing) => keys[criteria.sort](listing) <= nearest.bound);
      // Forces the classes into the index query, whatever it costs.
      const also = queryText([{ lexemes: nearest.lexemes, beginning: null, entries: 0 }]);
      const plan = { way: 'match', ...query, also, rest: queryText(terms), nearest: nearest.bound } as const;
      const { rows, counted } = await fetchPage(ctx, plan, filter, criteria.sort, 0);
      expect(counted, JSON.stringify(criteria)).toBe(front.length);
      expect(rows.map(({ id }) => id)).toEqual(front.slice(0, PAGE_SIZE).map(({ id }) => id));
    }
    expect(parts).toBeGreaterThan(20);
  });

  it(`counts every hit on the map once, seed ${seed}`, async () => {
    for (let i = 0; i < 60; i++) {
      const drawn = randomCriteria(random);
      const criteria = { ...drawn, bbox: drawn.bbox ?? { south: 29, west: -99, north: 35, east: -93 } };
      const result = await searchListings(ctx, criteria);
      const markers = await mapMarkers(ctx, criteria, 9);
      expect(markers.length).toBeLessThanOrEqual(300);
      if (result.correctedTo !== null) continue;
      const hits = referenceSearch(listings, criteria);
      const sum = markers.reduce((total, marker) => total + marker.count, 0);
      const bare = { ...anything, typeId: criteria.typeId, bbox: criteria.bbox, sort: criteria.sort };
      const filtered = !isDeepStrictEqual(filterOf(criteria), filterOf(bare));
      // With no filters but type and place, whole squares are counted, which may extend beyond the rectangle.
      if (criteria.text || criteria.keywords || filtered)
        expect(sum, JSON.stringify(criteria)).toBe(hits.length);
      else expect(sum, JSON.stringify(criteria)).toBeGreaterThanOrEqual(hits.length);
      const places = new Map(hits.map((hit) => [hit.id, hit]));
      for (const { listing } of markers) if (listing) expect(places.has(listing.id)).toBe(true);
    }
  });
});
