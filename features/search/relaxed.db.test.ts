import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { relaxedListings, searchListings } from './reads.ts';
import { parseCriteria } from './rules.ts';

const listings = {
  smith: { address: '1208 N Smith St', city: 'Boise', state: 'ID', bedrooms: 2, price_cents: 40_000_000 },
  oak: { address: '5 Oak Ave', city: 'Boise', state: 'ID', bedrooms: 3, price_cents: 60_000_000 },
  meridian: {
    address: '9 Elm Rd',
    city: 'Meridian',
    state: 'ID',
    bedrooms: 5,
    price_cents: 70_000_000,
    longitude: -116.39,
  },
  portland: {
    address: '77 Alder Ave',
    city: 'Portland',
    state: 'OR',
    bedrooms: 6,
    price_cents: 90_000_000,
    latitude: 45.5,
    longitude: -122.6,
  },
} as const;
type Name = keyof typeof listings;

await describeOnDatabase('a search that finds nothing', (open) => {
  let db: Database;
  let ctx: Ctx;
  const names = new Map<string, string>();
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const seller = await createUser(db, 'agent');
    for (const [name, facts] of Object.entries(listings))
      names.set(
        await createListing(db, seller.agentId, {
          description: 'Quiet.',
          zip: '',
          latitude: 43.6,
          longitude: -116.2,
          ...facts,
        }),
        name,
      );
  });
  afterAll(() => db.close());

  const relax = async (query: Record<string, string>) => {
    const params = new URLSearchParams(query);
    expect((await searchListings(ctx, parseCriteria(params, []))).total).toBe(0);
    const relaxed = await relaxedListings(ctx, params, []);
    if (!relaxed) return null;
    // What is said is what the link shows.
    const again = await searchListings(ctx, parseCriteria(relaxed.params, []));
    expect(again.total).toBe(relaxed.found.total);
    return [relaxed.said, relaxed.found.rows.map(({ id }) => names.get(id)).sort()];
  };

  it.each<[string, string, Name[]]>([
    ['1208 N Smith St Unit 12', 'Without “Unit 12”', ['smith']],
    ['1208 N Smith St #7, Boise', 'Without “#7”', ['smith']],
    ['smith xyzzy', 'Without “xyzzy”', ['smith']],
    ['1208 N Smith St, Portland', 'Without “Portland”', ['smith']],
    ['1208 N Smith St, Portland, OR', 'Without “Portland, OR”', ['smith']],
    ['1300 smith st', 'Without “1300”', ['smith']],
    ['5 bed boise', 'Near boise', ['meridian']],
    ['6 bed in Boise', 'Without “6+ beds”', ['oak', 'smith']],
    ['boise under 100k', 'Without “Up to $100,000”', ['oak', 'smith']],
    ['boise waterfront castle', 'All of boise', ['oak', 'smith']],
    ['boise old castle', 'Without “old castle”', ['oak', 'smith']],
  ])('%s', async (q, said, expected) => {
    expect(await relax({ q })).toEqual([said, expected]);
  });

  it('filters are left out one group at a time', async () => {
    expect(await relax({ q: 'smith', beds: '4' })).toEqual(['With any number of rooms', ['smith']]);
    expect(await relax({ min: '50000000', beds: '3' })).toEqual([
      'At any price',
      ['meridian', 'oak', 'portland'],
    ]);
    expect(await relax({ q: 'alder', bbox: '0,0,1,1' })).toEqual(['Anywhere', ['portland']]);
  });

  it('nothing is shown where nothing is left, or nothing was asked for', async () => {
    expect(await relax({ q: 'xyzzy' })).toBeNull();
    expect(await relax({ q: '%%%' })).toBeNull();
    expect(await relaxedListings(ctx, new URLSearchParams(), [])).toBeNull();
  });
});
