import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { mapMarkers, readSearchText, relaxedListings, searchListings } from './reads.ts';
import { parseCriteria } from './rules.ts';

const types = ['Vacant Lot', 'Single Family', 'Multi-Family', 'Commercial'].map((name, at) => ({
  id: at + 1,
  name,
  slug: name.toLowerCase(),
  oldSlugs: [],
}));
const [lot, house, , commercial] = types.map(({ id }) => id);
const listings = {
  lakesHouse: { city: 'Land O’ Lakes', state: 'FL', type_id: house, bedrooms: 3 },
  lakesLot: { city: 'Land O’ Lakes', state: 'FL', type_id: lot },
  point: { city: 'Commercial Point', state: 'OH', type_id: house, bedrooms: 2 },
  pointShop: { city: 'Commercial Point', state: 'OH', type_id: commercial },
  white: { city: 'White House', state: 'TN', type_id: house, bedrooms: 4 },
  hills: { city: 'Lake in the Hills', state: 'IL', type_id: house, bedrooms: 3 },
  home: { city: 'New Home', state: 'TX', type_id: house },
  lots: { city: 'Brooklyn', state: 'NY', neighborhood: 'New Lots', type_id: house },
  loma: { city: 'San Diego', state: 'CA', neighborhood: 'Point Loma', type_id: commercial },
  boiseLot: { city: 'Boise', state: 'ID', type_id: lot },
  boiseShop: { city: 'Boise', state: 'ID', type_id: commercial },
  boise: { city: 'Boise', state: 'ID', type_id: house, bedrooms: 3 },
} as const;
type Name = keyof typeof listings;

await describeOnDatabase('names of places that have the words of a filter', (open) => {
  let db: Database;
  let ctx: Ctx;
  const names = new Map<string, string>();
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const seller = await createUser(db, 'agent');
    for (const [name, facts] of Object.entries(listings)) {
      const at = {
        address: `${names.size + 1} Elm St`,
        zip: '',
        description: '',
        latitude: 40,
        longitude: -90,
      };
      names.set(await createListing(db, seller.agentId, { bedrooms: null, ...at, ...facts }), name);
    }
  });
  afterAll(() => db.close());

  const read = async (query: Record<string, string>, reader = ctx) => {
    const params = new URLSearchParams(query);
    const typed = await readSearchText(reader, params, types);
    return { typed, criteria: parseCriteria(params, types, undefined, typed) };
  };
  const found = async (query: Record<string, string>) => {
    const { rows } = await searchListings(ctx, (await read(query)).criteria);
    return rows.map(({ id }) => names.get(id)).sort();
  };

  it.each<[string, string[], Name[]]>([
    ['Land O Lakes FL', [], ['lakesHouse', 'lakesLot']],
    ['land o’ lakes', [], ['lakesHouse', 'lakesLot']],
    ['Land O Lakes, Florida', [], ['lakesHouse', 'lakesLot']],
    ['land in Land O Lakes FL', ['Vacant Lot'], ['lakesLot']],
    ['3 bed Land O Lakes', ['3+ beds'], ['lakesHouse']],
    ['Commercial Point OH', [], ['point', 'pointShop']],
    ['commercial Commercial Point', ['Commercial'], ['pointShop']],
    ['cheapest 2 bed in Commercial Point, OH', ['Cheapest first', '2+ beds'], ['point']],
    ['commercial Point Loma', ['Commercial'], ['loma']],
    ['homes for sale in White House TN', [], ['white']],
    ['4 bed White House', ['4+ beds'], ['white']],
    ['3 bed Lake in the Hills IL', ['3+ beds'], ['hills']],
    ['New Home TX', [], ['home']],
    ['new homes in New Home TX', ['Newest first'], ['home']],
    ['New Lots Brooklyn', [], ['lots']],
    ['land in Boise', ['Vacant Lot'], ['boiseLot']],
    ['Boise commercial', ['Commercial'], ['boiseShop']],
    ['new commercial Boise', ['Newest first', 'Commercial'], ['boiseShop']],
  ])('%s', async (q, labels, expected) => {
    const { typed } = await read({ q });
    expect(typed.understood.map(({ label }) => label)).toEqual(labels);
    expect(await found({ q })).toEqual(expected);
    const markers = await mapMarkers(ctx, (await read({ q })).criteria, 9);
    expect(markers.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
  });

  it('what is left without a part keeps the name as it was typed', async () => {
    const { typed } = await read({ q: 'Land O’ Lakes FL, 3 bed under 500k' });
    expect(typed.words).toBe('Land O’ Lakes FL');
    expect(typed.understood).toEqual([
      { label: '3+ beds', without: 'Land O’ Lakes FL, under 500k' },
      { label: 'Up to $500,000', without: 'Land O’ Lakes FL, 3 bed' },
    ]);
  });

  it('words are words, and a place without listings leaves the filter', async () => {
    expect((await read({ q: '3 bed Land O Lakes', words: '1' })).typed.words).toBe('3 bed Land O Lakes');
    const nowhere = await read({ q: 'Land O Ponds' });
    expect([nowhere.typed.words, nowhere.criteria.typeId]).toEqual(['O Ponds', lot]);
  });

  it('a search that asks for less keeps the place', async () => {
    const params = new URLSearchParams({ q: '9 bed Land O Lakes FL' });
    const relaxed = await relaxedListings(ctx, params, types);
    expect(relaxed?.said).toBe('Without “9+ beds”');
    expect(relaxed?.found.total).toBe(2);
  });

  describe('queries of the database', () => {
    it.each<[string, number]>([
      ['', 0],
      ['Boise', 0],
      ['12 Elm St, Boise ID', 0],
      ['homes for sale in Boise', 0],
      ['3 bed under 500k', 0],
      ['cheapest', 0],
      ['3 bed under 500k with pool in Boise', 1],
      ['Commercial Point OH', 1],
    ])('%j asks for %i', async (q, count) => {
      expect(await countQueries(db, (counted) => read({ q }, testContext(counted)))).toBe(count);
    });
  });
});
