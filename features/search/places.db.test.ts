import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { parseRectangle, type Rectangle } from './model.ts';
import { mapMarkers, searchListings } from './reads.ts';
import { parseCriteria } from './rules.ts';

const listings = {
  bostonLoft: {
    address: '1 Elm St',
    city: 'Boston',
    state: 'MA',
    description: 'A loft at the waterfront.',
    bedrooms: 2,
  },
  bostonHouse: { address: '2 Oak St', city: 'Boston', state: 'MA', description: 'Has a pool.', bedrooms: 4 },
  bostonDrive: {
    address: '3 Boston Dr',
    city: 'Nashville',
    state: 'TN',
    description: 'Quiet.',
    latitude: 36,
    longitude: -86,
  },
  wisconsinAve: { address: '4 Wisconsin Ave', city: 'Washington', state: 'DC', description: 'Quiet.' },
  madison: { address: '5 Lake St', city: 'Madison', state: 'WI', description: 'Near Boston Store.' },
  springfieldIl: { address: '6 Ash St', city: 'Springfield', state: 'IL', description: '' },
  springfieldMo: { address: '7 Ash St', city: 'Springfield', state: 'MO', description: '' },
  saintPaul: { address: '8 Ash St', city: 'St. Paul', state: 'MN', description: '' },
  newYork: { address: '9 Ash St', city: 'New York', state: 'NY', description: '' },
  albany: { address: '10 Ash St', city: 'Albany', state: 'New York', description: '' },
  downtownBoise: {
    address: '12 Ash St',
    city: 'Boise',
    state: 'ID',
    neighborhood: 'Downtown',
    mls_number: 'ID-88123',
  },
  downtownReno: {
    address: '13 Ash St',
    city: 'Reno',
    state: 'NV',
    neighborhood: 'Downtown',
    mls_number: '20114477',
  },
  northEnd: { address: '14 Ash St', city: 'Boise', state: 'ID', neighborhood: 'North End' },
  mountTabor: { address: '15 Ash St', city: 'Portland', state: 'OR', neighborhood: 'Mt. Tabor' },
  taborStreet: { address: '16 Mount Tabor Rd', city: 'Salem', state: 'OR' },
  seattle: { address: '11 Ash St', city: 'Seattle', state: 'WA', description: '' },
  missoula: { address: '17 Ash St', city: 'Missoula', state: 'MT', zip: '59801' },
  helena: { address: '18 Ash St', city: 'Helena', state: 'MT', mls_number: '59801' },
  butte: { address: '19 Ash St', city: 'Butte', state: 'MT', mls_number: '59601' },
} as const;
type Name = keyof typeof listings;

await describeOnDatabase('places that a search names', (open) => {
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
          description: '',
          zip: '',
          latitude: 40,
          longitude: -90,
          ...facts,
        }),
        name,
      );
  });
  afterAll(() => db.close());

  const criteria = (query: Record<string, string>) => parseCriteria(new URLSearchParams(query), []);
  const found = async (query: Record<string, string>) =>
    (await searchListings(ctx, criteria(query))).rows.map(({ id }) => names.get(id)).sort();

  it.each<[string, Name[]]>([
    ['Boston', ['bostonHouse', 'bostonLoft']],
    ['boston ma', ['bostonHouse', 'bostonLoft']],
    ['Boston, Massachusetts', ['bostonHouse', 'bostonLoft']],
    ['waterfront boston', ['bostonLoft']],
    ['boston with pool', ['bostonHouse']],
    ['homes for sale in Boston', ['bostonHouse', 'bostonLoft']],
    ['3 bed in Boston', ['bostonHouse']],
    ['boston dr', ['bostonDrive']],
    ['3 Boston', ['bostonDrive']],
    ['Boston Nashville', ['bostonDrive']],
    ['Boston Store', ['madison']],
    ['Wisconsin', ['madison']],
    ['wi', ['madison']],
    ['Madison Wisconsin', ['madison']],
    ['Wisconsin Avenue', ['wisconsinAve']],
    ['Springfield', ['springfieldIl', 'springfieldMo']],
    ['springfield il', ['springfieldIl']],
    ['Saint Paul Minnesota', ['saintPaul']],
    ['st paul mn', ['saintPaul']],
    ['New York', ['newYork']],
    ['Albany, NY', ['albany']],
    ['Washington', ['seattle', 'wisconsinAve']],
    ['downtown', ['downtownBoise', 'downtownReno']],
    ['Downtown, Boise, ID', ['downtownBoise']],
    ['downtown reno nevada', ['downtownReno']],
    ['north end', ['northEnd']],
    ['north end boise', ['northEnd']],
    ['Boise', ['downtownBoise', 'northEnd']],
    ['mount tabor', ['mountTabor']],
    ['Mt Tabor', ['mountTabor']],
    ['mount tabor road', ['taborStreet']],
    ['20114477', ['downtownReno']],
    ['MLS# id-88123', ['downtownBoise']],
    ['#20114477', ['downtownReno']],
    ['mls number: 20114477', ['downtownReno']],
    // A city that was misspelt is the city, not the street of its name.
    ['Bostn', ['bostonHouse', 'bostonLoft']],
    // Five digits are a ZIP code, unless it is said that they are a number.
    ['59801', ['missoula']],
    ['MLS 59801', ['helena']],
    ['#59801', ['helena']],
    ['59601', ['butte']],
  ])('%s', async (q, expected) => {
    expect(await found({ q })).toEqual(expected);
  });

  it('the same listings are on the map', async () => {
    const markers = await mapMarkers(ctx, criteria({ q: 'Springfield', bbox: '30,-100,50,-80' }), 9);
    expect(markers.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  it('a map moved away from the list shows nothing that the list understands otherwise', async () => {
    const nashville = '35,-87,37,-85';
    const here = criteria({ q: 'Boston', bbox: nashville });
    const streets = async (...within: [] | [Rectangle | null]) =>
      (await mapMarkers(ctx, here, 9, ...within)).map(({ listing }) => names.get(listing?.id ?? ''));
    // Everywhere, Boston is the city.
    expect(await found({ q: 'Boston' })).toEqual(['bostonHouse', 'bostonLoft']);
    expect(await streets(null)).toEqual([]);
    expect(await streets(parseRectangle('39,-91,41,-89'))).toEqual([]);
    // In a list of the part that the map shows, it is the street, and so it is where the list shows nothing else.
    expect(await found({ q: 'Boston', bbox: nashville })).toEqual(['bostonDrive']);
    expect(await streets()).toEqual(['bostonDrive']);
    expect(await streets(parseRectangle('34,-88,38,-84'))).toEqual(['bostonDrive']);
  });

  it('a text is searched for as words when it is wanted', async () => {
    expect(await found({ q: '2 bed boston', words: '1' })).toEqual([]);
    expect(await found({ q: '2 bed boston' })).toEqual(['bostonHouse', 'bostonLoft']);
    expect(await found({ q: '2 bed boston', beds: '3' })).toEqual(['bostonHouse']);
  });

  it('a name of several places tells them', async () => {
    const { namesakes } = await searchListings(ctx, criteria({ q: 'Springfield' }));
    expect(namesakes.map(({ label }) => label).sort()).toEqual(['Springfield, IL', 'Springfield, MO']);
    expect((await searchListings(ctx, criteria({ q: 'Springfield, IL' }))).namesakes).toEqual([]);
  });

  it('a neighborhood and an MLS number follow a change', async () => {
    const [id = ''] = [...names].find(([, name]) => name === 'northEnd') ?? [];
    await db
      .q()
      .updateTable('properties')
      .set({ neighborhood: 'Hyde Park', mls_number: '555777' })
      .where('id', '=', id)
      .execute();
    expect(await found({ q: 'north end' })).toEqual([]);
    expect(await found({ q: 'hyde park boise' })).toEqual(['northEnd']);
    expect(await found({ q: 'mls 555777' })).toEqual(['northEnd']);
  });

  it('the MLS number of a listing that is off the market is a word like others', async () => {
    const { agentId } = await createUser(db, 'agent');
    const place = { city: 'Lostine', state: 'OR' };
    await createListing(db, agentId, { ...place, status: 'Sold', mls_number: 'QX-4711' });
    expect((await searchListings(ctx, criteria({ q: 'QX-4711' }))).rows).toEqual([]);
    const next = await createListing(db, agentId, { ...place, description: 'Next door to QX-4711.' });
    const { rows } = await searchListings(ctx, criteria({ q: 'QX-4711' }));
    expect(rows.map(({ id }) => id)).toEqual([next]);
  });

  it('a place without listings any longer is a word like others', async () => {
    const [id = ''] = [...names].find(([, name]) => name === 'madison') ?? [];
    await db.q().updateTable('properties').set({ status: 'Sold' }).where('id', '=', id).execute();
    expect(await found({ q: 'Wisconsin' })).toEqual(['wisconsinAve']);
  });
});
