import { type Insertable, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { foldReportEvents } from '#features/reports/commands/fold-events.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { NotFound } from '#platform/errors.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { Comparison, Counts } from './model.ts';
import { listingStatistics, listingTotals, ownStatistics } from './reads.ts';

await describeOnDatabase('the statistics of listings', (open) => {
  let db: Database;
  let seller: UserActor;
  let other: UserActor;
  const buyers: UserActor[] = [];
  let city = 0;
  const clock = testClock();
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY);

  beforeAll(async () => {
    db = await open();
    [seller, other] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    for (let n = 0; n < 6; n++) buyers.push(await createUser(db, 'buyer'));
  });
  afterAll(() => db.close());
  // Each test has a state of its own.
  beforeEach(() => {
    city += 1;
  });

  type Facts = Partial<Insertable<DB['properties']>>;
  const list = (of: UserActor, facts: Facts = {}) =>
    createListing(db, of.agentId, {
      city: 'Cedar Hollow',
      state: `S${city}`,
      price_cents: 100_000_00,
      listed_at: ago(60),
      created_at: ago(60),
      ...facts,
    });
  const view = (propertyId: string, daysAgo: number, times = 1) =>
    times > 0
      ? db
          .q()
          .insertInto('property_view_events')
          .values(
            Array.from({ length: times }, (_, n) => ({
              property_id: propertyId,
              viewer: `viewer ${n}`,
              viewed_at: ago(daysAgo),
            })),
          )
          .execute()
      : [];
  const watch = (propertyId: string, daysAgo: number, by = 0) =>
    db
      .q()
      .insertInto('property_watches')
      .values({ property_id: propertyId, user_id: buyers[by]?.id ?? '', created_at: ago(daysAgo) })
      .execute();
  const inquire = (propertyId: string, daysAgo: number, by = 0) =>
    db
      .q()
      .insertInto('property_inquiries')
      .values({
        property_id: propertyId,
        user_id: buyers[by]?.id ?? '',
        message: 'Is it quiet?',
        created_at: ago(daysAgo),
      })
      .execute();
  const totalsOf = async (id: string) => (await listingTotals(as(seller), { propertyIds: [id] }))[id];
  const comparisonOf = async (id: string): Promise<Comparison | undefined> =>
    (await totalsOf(id))?.comparison;
  const listingsIn = (comparison: Comparison | undefined) =>
    typeof comparison === 'object' ? [comparison.listings, comparison.place] : comparison;

  it('count views, watches and inquiries by day of UTC, for the last thirty days', async () => {
    const id = await list(seller);
    await view(id, 0, 3);
    await view(id, 29, 2);
    await view(id, 30, 5);
    await watch(id, 1);
    await inquire(id, 2);
    await inquire(id, 40, 1);
    const { days, counts, listing, firstInquiryDays } = await listingStatistics(as(seller), {
      propertyId: id,
    });
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toEqual({
      day: clock.now().toISOString().slice(0, 10),
      views: 3,
      watches: 0,
      inquiries: 0,
    });
    expect(days[0]?.views).toBe(2);
    expect(days.at(-2)?.watches).toBe(1);
    expect(days.at(-3)?.inquiries).toBe(1);
    expect(counts).toEqual<Counts>({ views: 5, watches: 1, inquiries: 1 });
    expect(firstInquiryDays).toEqual({ own: 20, usual: null });
    expect(listing).toMatchObject({ id, address: '48 Larkspur Lane', status: 'Active' });
    expect((await totalsOf(id))?.counts).toEqual(counts);
  });

  it('are the same whatever part of what happened is in the sums already', async () => {
    const mine = await list(seller);
    const others = await Promise.all([1, 2, 3, 4, 5].map(() => list(other)));
    const read = async () => [
      await listingStatistics(as(seller), { propertyId: mine }),
      await totalsOf(mine),
      (await ownStatistics(as(seller))).counts,
    ];
    const fold = () => foldReportEvents(testContext(db, { actor: { kind: 'system', name: 'test' } }));
    for (const [n, id] of [mine, ...others].entries()) {
      await view(id, n % 3, n + 2);
      await watch(id, 2);
      await inquire(id, 3);
    }
    await fold();
    for (const id of [mine, ...others]) {
      await view(id, 1, 2);
      await watch(id, 2, 1);
    }
    await db.q().deleteFrom('property_watches').where('property_id', '=', mine).execute();
    const before = await read();
    expect(before[1]).toMatchObject({
      counts: { views: 4, watches: 0, inquiries: 1 },
      comparison: { counts: { views: 7, watches: 2, inquiries: 1 } },
    });
    await fold();
    expect(await db.q().selectFrom('report_events').select('id').execute()).toEqual([]);
    expect(await read()).toEqual(before);
  });

  describe('similar listings', () => {
    it('are of the same type and place, within a quarter of the price, and on the market on the same days', async () => {
      const mine = await list(seller, { listed_at: ago(10) });
      for (const price of [75_000_00, 90_000_00, 110_000_00, 125_000_00])
        await list(other, { price_cents: price, listed_at: ago(10.1) });
      await list(seller);
      // Each of these differs in one thing.
      await list(other, { price_cents: 74_999_99 });
      await list(other, { price_cents: 125_000_01 });
      await list(other, { type_id: 1 });
      await list(other, { state: 'elsewhere' });
      await list(other, { listed_at: ago(8.9) });
      await list(other, { status: 'pending' });
      await list(other, { status: 'escrow' });
      await list(other, { status: 'Sold' });
      await list(other, { deleted_at: clock.now() });
      expect(listingsIn(await comparisonOf(mine))).toEqual([5, 'Cedar Hollow']);
    });

    it('are those of the city, however it is spelled, or of the state when the city has too few', async () => {
      const mine = await list(seller);
      for (const spelled of ['cedar hollow', 'CEDAR HOLLOW', 'Cedar Hollow', 'Cedar Hollow'])
        await list(other, { city: spelled });
      expect(await comparisonOf(mine)).toBe('too_few');
      await list(other, { city: 'Far Town' });
      expect(listingsIn(await comparisonOf(mine))).toEqual([5, `S${city}`]);
      await list(other, { city: 'Far Town' });
      await list(other);
      expect(listingsIn(await comparisonOf(mine))).toEqual([5, 'Cedar Hollow']);
    });

    it('are the fifty nearest in price', async () => {
      const mine = await list(seller);
      for (let n = 1; n <= 30; n++) {
        const near = await list(other, { price_cents: 100_000_00 + n });
        const below = await list(other, { price_cents: 100_000_00 - n });
        await view(near, 1, n <= 25 ? 1 : 9);
        await view(below, 1, n <= 25 ? 1 : 9);
      }
      expect(await comparisonOf(mine)).toMatchObject({ listings: 50, counts: { views: 1 } });
    });

    it('are none for a listing that is off the market or has no place', async () => {
      for (let n = 0; n < 5; n++) await list(other, { city: '' });
      expect(await comparisonOf(await list(seller, { status: 'withdrawn' }))).toBe('off_market');
      expect(await comparisonOf(await list(seller, { status: 'pending', listed_at: null }))).toBe(
        'off_market',
      );
      expect(await comparisonOf(await list(seller, { city: '', state: '' }))).toBe('too_few');
      expect(listingsIn(await comparisonOf(await list(seller, { city: '' })))).toEqual([5, `S${city}`]);
      expect(await comparisonOf(await list(seller, { type_id: null }))).toBe('too_few');
    });

    it('give the medians of the days on which both were on the market, and of the days to the first inquiry', async () => {
      const mine = await list(seller, { listed_at: ago(4) });
      await view(mine, 1, 7);
      for (const [n, views] of [0, 2, 4, 6, 8].entries()) {
        const id = await list(other, { listed_at: ago(20) });
        await view(id, 2, views);
        await view(id, 6, 50);
        await watch(id, 3);
        if (n < 3) await inquire(id, 19 - n * 4);
      }
      const statistics = await listingStatistics(as(seller), { propertyId: mine });
      const { comparison, usualDays, firstInquiryDays } = statistics;
      expect(firstInquiryDays).toEqual({ own: null, usual: 9 });
      expect(comparison).toEqual({
        listings: 5,
        place: 'Cedar Hollow',
        counts: { views: 4, watches: 1, inquiries: 0 },
      });
      expect(usualDays).toHaveLength(30);
      expect(usualDays?.slice(0, 25)).toEqual(Array(25).fill(null));
      expect(usualDays?.slice(25).map((day) => day?.views)).toEqual([0, 0, 4, 0, 0]);
      expect(await totalsOf(mine)).toEqual({ counts: statistics.counts, comparison });
    });
  });

  it('are of all listings of a page in as many queries as of one, and of no others', async () => {
    const own = [await list(seller), await list(seller), await list(seller)];
    const foreign = await list(other);
    const deleted = await list(seller, { deleted_at: clock.now() });
    const counted = (ids: string[]) =>
      countQueries(db, async (database) => {
        const found = await listingTotals({ ...as(seller), db: database }, { propertyIds: ids });
        expect(Object.keys(found).sort()).toEqual(ids.filter((id) => own.includes(id)).sort());
      });
    expect(await counted([...own, foreign, deleted, 'no id'])).toBe(await counted(own.slice(0, 1)));
    for (const propertyId of [foreign, deleted, 'no id'])
      await expect(listingStatistics(as(seller), { propertyId })).rejects.toThrow(NotFound);
  });

  it('of a seller add up all listings, and say how many of those on the market are above the median', async () => {
    const owner = await createUser(db, 'agent');
    const [good, poor] = [await list(owner), await list(owner)];
    const sold = await list(owner, { status: 'Sold' });
    // Of their own and of another seller as many as are compared, and newer.
    for (let n = 0; n < 10; n++) await list(owner, { status: 'withdrawn', created_at: ago(1) });
    for (let n = 0; n < 10; n++) await view(await list(other, { created_at: ago(1) }), 1, 3);
    await view(good, 1, 5);
    await view(poor, 2, 3);
    await view(sold, 3, 2);
    await watch(sold, 3);
    await view(await list(owner, { deleted_at: clock.now() }), 1, 20);
    const { days, counts, isPart, compared } = await ownStatistics(as(owner));
    expect(isPart).toBe(false);
    expect(counts).toEqual<Counts>({ views: 10, watches: 1, inquiries: 0 });
    expect(days.slice(-4).map(({ views }) => views)).toEqual([2, 3, 5, 0]);
    expect(compared).toEqual({ listings: 2, above: { views: 1, watches: 0, inquiries: 0 } });
    const newcomer = await createUser(db, 'agent');
    expect(await ownStatistics(as(newcomer))).toMatchObject({
      counts: { views: 0 },
      compared: { listings: 0 },
    });
  });

  it('of a seller with very many listings are those of the newest ones', async () => {
    const owner = await createUser(db, 'agent');
    const oldest = await list(owner, { status: 'withdrawn', created_at: ago(500) });
    const newest = await list(owner, { status: 'withdrawn', created_at: ago(1) });
    await sql`insert into properties (agent_id, address, price_cents, status, created_at)
      select ${owner.agentId}, n || ' Long Row', 100, 'withdrawn', ${ago(400)} from generate_series(1, 499) n`.execute(
      db.q(),
    );
    await view(oldest, 1, 4);
    await view(newest, 1, 2);
    expect(await ownStatistics(as(owner))).toMatchObject({ isPart: true, counts: { views: 2 } });
    const neighbour = await createUser(db, 'agent');
    await list(neighbour);
    expect(await ownStatistics(as(neighbour))).toMatchObject({ isPart: false });
    const deleted = db.q().updateTable('properties').set({ deleted_at: clock.now() });
    await deleted.where('agent_id', '=', owner.agentId).where('address', '=', '1 Long Row').execute();
    expect(await ownStatistics(as(owner))).toMatchObject({ isPart: false, counts: { views: 6 } });
  });
});
