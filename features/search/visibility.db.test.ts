import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { refreshSearchStatistics } from './commands/refresh-search-statistics.ts';
import { mapMarkers, searchListings, suggest } from './reads.ts';
import { parseCriteria } from './rules.ts';

await describeOnEachDatabase('search right after a change', (open) => {
  let db: Database;
  let ctx: Ctx;
  let seller: UserActor;
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    seller = await createUser(db, 'agent');
    // Statistics from before the changes must not matter.
    await refreshSearchStatistics({ ...ctx, actor: { kind: 'system', name: 'test' } });
    await searchListings(ctx, criteria('anything'));
  });
  afterAll(() => db.close());

  const criteria = (text: string) => parseCriteria(new URLSearchParams({ q: text }), []);
  const ids = async (text: string) =>
    (await searchListings(ctx, criteria(text))).rows.map((row) => row.id).sort();
  const set = (id: string, values: object) =>
    db.q().updateTable('properties').set(values).where('id', '=', id).execute();

  it('shows a new listing and hides it with every status that is off the market', async () => {
    const id = await createListing(db, seller.agentId, { address: '5 Quillfeather Way' });
    expect(await ids('quillf')).toEqual([id]);
    for (const status of [
      'pending',
      'escrow',
      'Sold',
      'rejected',
      'changes_requested',
      'withdrawn',
    ] as const) {
      await set(id, { status });
      expect(await ids('quillf')).toEqual([]);
      expect(await suggest(ctx, 'quillf')).toEqual([]);
      await set(id, { status: 'Active' });
      expect(await ids('quillf')).toEqual([id]);
    }
    await set(id, { deleted_at: new Date() });
    expect(await ids('quillf')).toEqual([]);
    await set(id, { deleted_at: null });
    expect(await ids('uillfeat')).toEqual([id]);
    await db.q().deleteFrom('properties').where('id', '=', id).execute();
    expect(await ids('quillf')).toEqual([]);
    expect(await ids('uillfeat')).toEqual([]);
  });

  it('follows changes to every searchable text and filter', async () => {
    const id = await createListing(db, seller.agentId, { address: '6 Brambleworth Way', zip: '00601' });
    const texts = {
      title: 'Zanthoria',
      address: '6 Yolander Way',
      city: 'Xervale',
      state: 'WQ',
      zip: '99441',
      description: 'vintricate',
    };
    for (const [column, text] of Object.entries(texts)) {
      const word = text.split(' ').at(column === 'address' ? 1 : 0) ?? '';
      expect(await ids(word), column).toEqual([]);
      await set(id, { [column]: text });
      expect(await ids(word), column).toEqual([id]);
    }
    expect(await ids('brambleworth')).toEqual([]);
    await set(id, { price_cents: 31_337_00, bedrooms: 7, latitude: 10.5, longitude: -20.5 });
    const filtered = parseCriteria(
      new URLSearchParams({ min: '31337', max: '31337', beds: '7', bbox: '10,-21,11,-20' }),
      [],
    );
    expect((await searchListings(ctx, filtered)).rows.map((row) => row.id)).toEqual([id]);
    expect((await mapMarkers(ctx, filtered, 9)).map((marker) => marker.listing?.id)).toEqual([id]);
    await set(id, { bedrooms: 6 });
    expect((await searchListings(ctx, filtered)).rows).toEqual([]);
    expect(await mapMarkers(ctx, filtered, 9)).toEqual([]);
  });

  it('on the map is one marker for each listing, also of those at the same point', async () => {
    const place = { latitude: 11.5, longitude: -20.5, address: '1 Onepoint Way' };
    const found = [
      await createListing(db, seller.agentId, place),
      await createListing(db, seller.agentId, place),
      await createListing(db, seller.agentId, { ...place, latitude: 11.6 }),
      await createListing(db, seller.agentId, { ...place, latitude: null, longitude: null }),
    ].slice(0, 3);
    for (const query of ['q=onepoint', 'bbox=11,-21,12,-20', 'bbox=11.4999,-20.5001,11.6001,-20.4999']) {
      const markers = await mapMarkers(ctx, parseCriteria(new URLSearchParams(query), []), 9);
      expect(markers.map(({ listing }) => listing?.id).sort(), query).toEqual(found.toSorted());
      expect(markers.every(({ count }) => count === 1)).toBe(true);
    }
  });

  it('follows changes to the name of a type', async () => {
    const type = await db
      .q()
      .insertInto('property_types')
      .values({ name: 'Zeppelin Hangar', slug: 'zeppelin-hangar' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const id = await createListing(db, seller.agentId, { type_id: type.id });
    expect(await ids('zeppel')).toEqual([id]);
    await db
      .q()
      .updateTable('property_types')
      .set({ name: 'Floating Dwelling' })
      .where('id', '=', type.id)
      .execute();
    expect(await ids('zeppel')).toEqual([]);
    expect(await ids('dwell float')).toEqual([id]);
    await set(id, { type_id: null });
    expect(await ids('dwelling')).toEqual([]);
  });

  it('hides the listings of a suspended seller and shows them again', async () => {
    const other = await createUser(db, 'agent');
    const listed = [
      await createListing(db, other.agentId, { address: '1 Pomegrove Row', city: 'Pomville' }),
      await createListing(db, other.agentId, { address: '2 Pomegrove Row', city: 'Pomville' }),
    ];
    const suspend = (status: 'active' | 'suspended') =>
      db
        .q()
        .updateTable('agents')
        .set({ status })
        .where('id', '=', other.agentId ?? '')
        .execute();
    expect(await ids('pomegrove')).toEqual(listed.toSorted());
    expect(await suggest(ctx, 'pomv')).toHaveLength(1);
    await suspend('suspended');
    expect(await ids('pomegrove')).toEqual([]);
    expect(await suggest(ctx, 'pomv')).toEqual([]);
    await suspend('active');
    expect(await ids('pomegrove')).toEqual(listed.toSorted());
  });

  it('does not correct to a removed word, and corrects a removed word', async () => {
    const id = await createListing(db, seller.agentId, { description: 'wunderkammer' });
    expect((await searchListings(ctx, criteria('wunderkamer'))).correctedTo).toBe('wunderkammer');
    await set(id, { description: 'wunderkamera' });
    expect((await searchListings(ctx, criteria('wunderkammer'))).correctedTo).toBe('wunderkamera');
    await set(id, { description: '' });
    expect((await searchListings(ctx, criteria('wunderkamer'))).total).toBe(0);
  });

  it('does not update the index for a page view', async () => {
    const id = await createListing(db, seller.agentId, {});
    const entry = () =>
      db.pool.query('select xmin::text from search_entries where property_id = $1', [id]).then((r) => r.rows);
    const before = await entry();
    await set(id, { views: 17 });
    expect(await entry()).toEqual(before);
  });

  it('rolls back with the change', async () => {
    await expect(
      db.tx(async () => {
        await createListing(db, seller.agentId, { description: 'evanescent' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await ids('evanescent')).toEqual([]);
  });

  it('swaps bounds that are the wrong way around', async () => {
    const id = await createListing(db, seller.agentId, {
      address: '8 Contrary Way',
      price_cents: 450_000_00,
      square_feet: 1_500,
      year_built: 1_990,
    });
    const found = async (query: string) => {
      const asked = parseCriteria(new URLSearchParams(`q=contrary&${query}`), []);
      return (await searchListings(ctx, asked)).rows.map((row) => row.id);
    };
    expect(
      await found('min=500000&max=400000&sqft-min=2,000&sqft-max=900&year-min=2000&year-max=1980'),
    ).toEqual([id]);
    expect(await found('min=700000&max=600000')).toEqual([]);
  });

  it('follows amenities that are ticked and named, and the lot and the year', async () => {
    const id = await createListing(db, seller.agentId, { description: 'Quorndle with no garage.' });
    const found = async (query: string) => {
      const asked = parseCriteria(new URLSearchParams(`q=quorndle&${query}`), []);
      return (await searchListings(ctx, asked)).total;
    };
    expect(await found('amenity=garage')).toBe(0);
    const { id: pool } = await db
      .q()
      .insertInto('amenities')
      .values({ name: 'Swimming Pool' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.q().insertInto('property_amenities').values({ property_id: id, amenity_id: pool }).execute();
    expect(await found('amenity=pool')).toBe(1);
    await db.q().deleteFrom('property_amenities').where('property_id', '=', id).execute();
    expect(await found('amenity=pool')).toBe(0);
    await set(id, { description: 'Quorndle with a garage and water views.' });
    expect(await found('amenity=garage&amenity=water-view')).toBe(1);
    await set(id, { lot_square_feet: 43_560, year_built: 1_931 });
    expect(await found('lot-min=1+acre&year-max=1931')).toBe(1);
    expect(await found('lot-min=43561')).toBe(0);
    await set(id, { lot_square_feet: null, year_built: null });
    expect(await found('lot-max=999999')).toBe(0);
    expect(await found('year-max=2020')).toBe(0);
    expect(await found('keywords=water+garag')).toBe(1);
    expect(await found('keywords=sauna')).toBe(0);
  });

  it('finds nothing, without an error, between contradictory bounds', async () => {
    await createListing(db, seller.agentId, { address: '7 Nowhere Way' });
    for (const query of [
      'min=999999998&max=999999999',
      'q=nowhere+under+100k&min=900000',
      'q=nowhere&year-min=9998&year-max=9999',
      'q=nowhere&year-min=2&year-max=1',
    ]) {
      const asked = parseCriteria(new URLSearchParams(query), []);
      expect((await searchListings(ctx, asked)).total, query).toBe(0);
      expect(await mapMarkers(ctx, asked, 8), query).toEqual([]);
    }
  });
});
