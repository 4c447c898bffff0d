import { afterAll, beforeAll, expect, it } from 'vitest';
import { searchListings } from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { saveSearch } from './commands/save-search.ts';
import { matchingSearches, publicListing } from './matching.ts';
import { savedSearches } from './reads.ts';

const before = [
  { address: '1 Elm St', city: 'Boston', state: 'MA' },
  { address: '2 Elm St', city: 'Springfield', state: 'IL' },
  { address: '3 Elm St', city: 'Springfield', state: 'MO' },
  { address: '4 Elm St', city: 'Portland', state: 'OR', neighborhood: 'Mt. Tabor' },
  { address: '5 Elm St', city: 'Boise', state: 'ID', neighborhood: 'Downtown', zip: '83702' },
  { address: '6 Elm St', city: 'Seattle', state: 'WA' },
  { address: '20 Elm St', city: 'Commercial Point', state: 'OH' },
];
const after = {
  boston: { address: '7 Oak St', city: 'Boston', state: 'MA', description: 'With a pool.', bedrooms: 4 },
  bostonDrive: { address: '8 Boston Dr', city: 'Nashville', state: 'TN', bedrooms: 4 },
  springfieldNew: { address: '9 Oak St', city: 'Springfield', state: 'NJ' },
  tabor: { address: '10 Oak St', city: 'Portland', state: 'OR', neighborhood: 'Mount Tabor' },
  boise: { address: '11 Oak St', city: 'BOISE', state: 'ID', neighborhood: 'downtown', zip: '83702-1234' },
  point: { address: '13 Oak Parkway', city: 'Commercial Point', state: 'OH', type_id: 2 },
  tacoma: { address: '12 Oak St', city: 'Tacoma', state: 'WA', square_feet: 2_500, year_built: 2010 },
} as const;
type Name = keyof typeof after;

await describeOnDatabase('saved searches of places', (open) => {
  let db: Database;
  let ctx: Ctx;
  let seller: UserActor & { agentId: string };
  let buyer: Ctx;
  const queries = new Map<string, string>();
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    seller = (await createUser(db, 'agent')) as typeof seller;
    buyer = testContext(db, { actor: await createUser(db, 'buyer') });
    for (const facts of before)
      await createListing(db, seller.agentId, { description: '', zip: '', ...facts });
  });
  afterAll(() => db.close());

  const save = async (q: string) => {
    const query = new URLSearchParams({ q }).toString();
    const saved = await saveSearch(buyer, { name: q.slice(0, 80), cadence: 'daily', query });
    if (!saved.ok) throw new Error(`${q} was not saved`);
    queries.set(saved.id, q);
  };

  it('match new listings as the list of properties finds them', async () => {
    const expected: [string, Name[]][] = [
      ['Boston', ['boston']],
      ['boston massachusetts', ['boston']],
      ['4 bed in Boston with pool', ['boston']],
      ['Springfield', ['springfieldNew']],
      ['Springfield IL', []],
      ['mount tabor', ['tabor']],
      ['Mt Tabor Portland Oregon', ['tabor']],
      ['downtown boise', ['boise']],
      ['83702', ['boise']],
      ['Washington', ['tacoma']],
      ['washington at least 2,000 sqft built after 2000', ['tacoma']],
      ['washington built before 2000', []],
      ['oak boston', ['boston']],
      ['Commercial Point OH', ['point']],
      ['13 oak pky', ['point']],
    ];
    for (const [q] of expected) await save(q);
    const matched = new Map<string, Name[]>(expected.map(([q]) => [q, []]));
    const ids = new Map<string, Name>();
    for (const [name, facts] of Object.entries(after)) {
      const id = await createListing(db, seller.agentId, { description: '', zip: '', ...facts });
      ids.set(id, name as Name);
      const listing = await publicListing(ctx, id);
      if (!listing) throw new Error(`${name} is not public`);
      for (const search of await matchingSearches(ctx, listing))
        matched.get(queries.get(search) ?? '')?.push(name as Name);
    }
    expect([...matched]).toEqual(expected);
    for (const [q, names] of matched) {
      const { rows } = await searchListings(ctx, parseCriteria(new URLSearchParams({ q }), []));
      expect([q, rows.flatMap(({ id }) => ids.get(id) ?? []).sort()]).toEqual([q, names.toSorted()]);
    }
  });

  it('are saved once, shown as typed, and lead back to the same list', async () => {
    for (const q of ['Boston', 'Mt Tabor Portland Oregon', 'Commercial Point OH']) await save(q);
    const query = new URLSearchParams({ q: 'boston' }).toString();
    expect(await saveSearch(buyer, { name: 'again', cadence: 'daily', query })).toMatchObject({
      already: true,
    });
    const kept = (await savedSearches(buyer)).find(({ name }) => name === 'Mt Tabor Portland Oregon');
    expect(kept?.query.q).toBe('mt tabor portland oregon');
    expect(kept?.description).toContain('mt tabor portland oregon');
    // As a filter it would be another search once no listing is left there.
    const point = (await savedSearches(buyer)).find(({ name }) => name === 'Commercial Point OH');
    expect(point?.query).toMatchObject({ q: 'commercial point oh', words: '1' });
    expect(point?.query.type).toBeUndefined();
  });
});
