import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featuredListings } from '#features/listings/reads.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { AllListingsSort } from './all-listings.ts';
import { setFeatured } from './commands/set-featured.ts';
import { type AllListingsQuery, allListings, listingCounts, listingRecord } from './reads.ts';

await describeOnDatabase("administrators' listings", (open) => {
  const now = testClock().now();
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  let db: Database;
  let ctx: Ctx;
  let adele: UserActor;
  let zoltan: UserActor;

  beforeAll(async () => {
    db = await open();
    ctx = testContext(db, { actor: await createUser(db, 'admin') });
    [adele, zoltan] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const rename = (seller: UserActor, name: string) =>
      db.q().updateTable('agents').set({ name }).where('id', '=', seller.agentId).execute();
    await rename(adele, 'Adele Quist');
    await rename(zoltan, 'Zoltan Brand');
  });
  afterAll(() => db.close());
  const clear = () => db.q().updateTable('properties').set({ deleted_at: now }).execute();

  describe('all properties', () => {
    beforeAll(async () => {
      await clear();
      const listing = (seller: UserActor, address: string, facts: object) =>
        createListing(db, seller.agentId, { address, ...facts });
      await listing(zoltan, '30 Cedar Row', {
        price_cents: 300,
        views: 5,
        created_at: ago(30),
        listed_at: ago(9),
      });
      await listing(adele, '10 Birch Row', {
        price_cents: 100,
        views: 9,
        status: 'Sold',
        created_at: ago(40),
        listed_at: ago(40),
        off_market_at: ago(10),
      });
      await listing(adele, '20 Alder 50% Row', {
        price_cents: 200,
        views: 7,
        status: 'pending',
        created_at: ago(1),
      });
    });
    const found = async (query: AllListingsQuery = {}) =>
      (await allListings(ctx, query)).rows.map(({ address }) => address.slice(0, 2));

    it('come newest first', async () => {
      expect(await found()).toEqual(['20', '30', '10']);
    });

    it('can be those alone that the home page shows, with and without a search', async () => {
      const cedar = db.q().updateTable('properties').where('address', '=', '30 Cedar Row');
      expect(await found({ featured: true })).toEqual([]);
      await cedar.set({ featured_slot: 1 }).execute();
      expect(await found({ featured: true })).toEqual(['30']);
      expect(await found({ featured: true, q: 'row' })).toEqual(['30']);
      expect(await found({ featured: true, q: 'birch' })).toEqual([]);
      await cedar.set({ featured_slot: null }).execute();
    });

    const ascending: Record<AllListingsSort, string[]> = {
      address: ['10', '20', '30'],
      price: ['10', '20', '30'],
      views: ['30', '20', '10'],
      seller: ['10', '20', '30'],
      status: ['30', '20', '10'],
      daysOnMarket: ['20', '30', '10'],
    };
    it.each(Object.entries(ascending))(
      'are sorted by %s both ways, found by a search or not',
      async (by, order) => {
        for (const q of ['', 'row']) {
          const sorted = (descending: boolean) =>
            found({ q, sort: { by: by as AllListingsSort, descending } });
          expect(await sorted(false)).toEqual(by === 'seller' ? expect.arrayContaining(order) : order);
          expect((await sorted(false)).at(-1)).toBe(order.at(-1));
          expect((await sorted(true))[0]).toBe(order.at(-1));
        }
      },
    );

    it.each([
      ['BIRCH', ['10']],
      ['cedar hollow', ['20', '30', '10']],
      ['zoltan', ['30']],
      ['pending', ['20']],
      ['sold', ['10']],
      ['50%', ['20']],
      ['5_%', []],
      ['30', ['30']],
      ['Zo', ['30']],
      ['nothing like it', []],
    ])('searching for %j finds address, seller or status', async (q, expected) => {
      expect(await found({ q })).toEqual(expected);
    });

    it('can be limited to a status, also of what a search finds', async () => {
      expect(await found({ status: 'Sold' })).toEqual(['10']);
      expect(await found({ status: 'Sold', q: 'adele' })).toEqual(['10']);
      expect(await found({ status: 'Sold', q: 'zoltan' })).toEqual([]);
    });

    it('are counted, sold ones too and deleted ones not', async () => {
      const exactly = (count: number) => ({ count, more: false });
      for (const status of ['Active', 'pending', 'escrow'] as const)
        await createListing(db, adele.agentId, { status, deleted_at: now });
      expect(await listingCounts(ctx)).toMatchObject({
        total: exactly(3),
        active: exactly(1),
        pending: exactly(1),
        inEscrow: exactly(0),
      });
    });

    it.each(['quarry', 'quentin', 'withdrawn'])('deleted ones are not found by %j', async (q) => {
      const quentin = await createUser(db, 'agent');
      await db
        .q()
        .updateTable('agents')
        .set({ name: 'Quentin Marsh' })
        .where('id', '=', quentin.agentId)
        .execute();
      await createListing(db, quentin.agentId, {
        address: '40 Quarry Row',
        status: 'withdrawn',
        deleted_at: new Date(),
      });
      expect(await allListings(ctx, { q })).toMatchObject({ rows: [], total: { count: 0 } });
    });

    it('have pages, the last of which is shown for a page beyond', async () => {
      for (let number = 0; number < 26; number += 1)
        await createListing(db, adele.agentId, { address: `${number} Pagination Lane` });
      const query = { q: 'pagination', page: 7 };
      expect(await allListings(ctx, query)).toMatchObject({ page: 2, pages: 2, total: { count: 26 } });
      expect((await allListings(ctx, query)).rows).toHaveLength(1);
    });
  });

  it('the details hold facts, seller, photos and the sale', async () => {
    const id = await createListing(db, adele.agentId, {
      address: '1 Detail Street',
      title: 'The blue house',
    });
    expect(await listingRecord(ctx, { id })).toMatchObject({
      address: '1 Detail Street',
      title: 'The blue house',
      type: 'Single Family',
      seller: { name: 'Adele Quist', suspended: false },
      pictures: [],
      sale: null,
      hasPublicPage: true,
    });
    await expect(listingRecord(ctx, { id: crypto.randomUUID() })).rejects.toThrow('Property not found');
  });

  describe('featured properties', () => {
    const feature = (propertyId: string, featured = true) => setFeatured(ctx, { propertyId, featured });
    const count = async () => (await listingCounts(ctx)).featured;
    const visible = async () => (await featuredListings(testContext(db))).length;
    const unfeatureAll = () => db.q().updateTable('properties').set({ featured_slot: null }).execute();

    it('are at most five, also when ten are featured at the same moment', async () => {
      await unfeatureAll();
      const ids = [];
      for (let number = 0; number < 10; number += 1) ids.push(await createListing(db, adele.agentId));
      const results = await Promise.all(ids.map((id) => feature(id)));
      expect(results.filter(({ ok }) => ok)).toHaveLength(5);
      expect(results.filter((result) => !result.ok && result.reason === 'full')).toHaveLength(5);
      expect(await count()).toBe(5);
      expect(await visible()).toBe(5);
    });

    it('one place is given to one of two', async () => {
      await unfeatureAll();
      for (let number = 0; number < 4; number += 1) await feature(await createListing(db, adele.agentId));
      const [one, other] = [await createListing(db, adele.agentId), await createListing(db, adele.agentId)];
      const results = await Promise.all([feature(one), feature(other)]);
      expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
      const [first] = results[0].ok ? [one] : [other];
      expect(await feature(first, false)).toEqual({ ok: true });
      expect(await feature(results[0].ok ? other : one)).toEqual({ ok: true });
    });

    it('repeating it changes nothing and is recorded once', async () => {
      await unfeatureAll();
      const id = await createListing(db, adele.agentId);
      expect(await feature(id)).toEqual({ ok: true });
      expect(await feature(id)).toEqual({ ok: true });
      expect(await feature(id, false)).toEqual({ ok: true });
      expect(await feature(id, false)).toEqual({ ok: true });
      const rows = await db
        .q()
        .selectFrom('audit_log')
        .select(['action', 'after'])
        .where('entity_id', '=', id)
        .orderBy('id')
        .execute();
      expect(rows).toEqual([
        { action: 'listing.feature', after: { featured: true } },
        { action: 'listing.unfeature', after: { featured: false } },
      ]);
    });

    it.each(['pending', 'escrow', 'Sold', 'withdrawn'] as const)(
      '%s ones cannot be featured',
      async (status) => {
        expect(await feature(await createListing(db, adele.agentId, { status }))).toEqual({
          ok: false,
          reason: 'not_public',
        });
      },
    );

    it('what visitors no longer see gives its place away', async () => {
      await unfeatureAll();
      const seller = await createUser(db, 'agent');
      const [sold, deleted, suspended] = [
        await createListing(db, adele.agentId),
        await createListing(db, adele.agentId),
        await createListing(db, seller.agentId),
      ];
      for (const id of [sold, deleted, suspended]) expect(await feature(id)).toEqual({ ok: true });
      const set = (id: string, columns: object) =>
        db.q().updateTable('properties').set(columns).where('id', '=', id).execute();
      await set(sold, { status: 'escrow' });
      expect([await count(), await visible()]).toEqual([2, 2]);
      await set(deleted, { deleted_at: now });
      expect([await count(), await visible()]).toEqual([1, 1]);
      await db
        .q()
        .updateTable('agents')
        .set({ status: 'suspended' })
        .where('id', '=', seller.agentId)
        .execute();
      expect([await count(), await visible()]).toEqual([0, 0]);
      expect(await feature(suspended)).toEqual({ ok: false, reason: 'not_public' });
    });
  });
});
