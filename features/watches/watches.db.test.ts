import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordView } from '#features/views/commands/record-view.ts';
import { viewLimits } from '#features/views/limits.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { Unauthenticated } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { setWatch } from './commands/set-watch.ts';
import { marksFor, watchedListings } from './reads.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36';

await describeOnDatabase('watches and views', (open) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let listing: string;
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    buyer = await createUser(db, 'buyer');
    listing = await createListing(db, seller.agentId);
  });
  afterAll(() => db.close());

  it('set a watch idempotently, separately for each user', async () => {
    const ctx = testContext(db, { actor: buyer });
    await Promise.all([1, 2, 3].map(() => setWatch(ctx, { propertyId: listing, watched: true })));
    expect((await marksFor(ctx, [listing])).watched).toEqual([listing]);
    const somebody = testContext(db, { actor: await createUser(db, 'buyer') });
    expect((await marksFor(somebody, [listing])).watched).toEqual([]);
    await setWatch(somebody, { propertyId: listing, watched: false });
    expect((await marksFor(ctx, [listing])).watched).toEqual([listing]);
    await setWatch(ctx, { propertyId: listing, watched: false });
    expect((await marksFor(ctx, [listing])).watched).toEqual([]);
  });

  it('list what each user watches and may see', async () => {
    const [first, second] = [await createUser(db, 'buyer'), await createUser(db, 'buyer')];
    const deleted = await createListing(db, seller.agentId);
    const watch = (actor: UserActor, propertyId: string) =>
      setWatch(testContext(db, { actor }), { propertyId, watched: true });
    const watched = async (actor: UserActor) =>
      (await watchedListings(testContext(db, { actor }))).cards.map(({ id }) => id);
    await watch(first, listing);
    await watch(second, deleted);
    await watch(seller, deleted);
    expect(await watched(first)).toEqual([listing]);
    expect(await watched(second)).toEqual([deleted]);
    await db
      .q()
      .updateTable('properties')
      .set({ deleted_at: new Date() })
      .where('id', '=', deleted)
      .execute();
    expect(await watched(second)).toEqual([]);
    // Not even its seller, who sees every other one of theirs.
    expect(await watched(seller)).toEqual([]);
    const visitor = await watchedListings(testContext(db)).catch((error: unknown) => error);
    expect(visitor).toBeInstanceOf(Unauthenticated);
  });

  it('need a signed-in user and a property they can see', async () => {
    await expect(setWatch(testContext(db), { propertyId: listing, watched: true })).rejects.toThrow(
      'Authentication required',
    );
    const hidden = await createListing(db, seller.agentId, { status: 'pending' });
    const ctx = testContext(db, { actor: buyer });
    for (const propertyId of [hidden, crypto.randomUUID(), 'nonsense']) {
      await expect(setWatch(ctx, { propertyId, watched: true })).rejects.toThrow('Property not found');
    }
  });

  it('count each viewer once a day, record every view, and ignore owner, administrators and bots', async () => {
    const clock = testClock();
    const open = (actor: UserActor | null, ip: string, userAgent: string | null = BROWSER) =>
      recordView(testContext(db, { ...(actor ? { actor } : {}), ip, now: clock.now }), {
        propertyId: listing,
        userAgent,
      });
    const views = async () =>
      (
        await db
          .q()
          .selectFrom('properties')
          .select('views')
          .where('id', '=', listing)
          .executeTakeFirstOrThrow()
      ).views;
    const admin = await createUser(db, 'admin');
    await open(null, '10.0.0.1');
    await open(null, '10.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
    await open(null, '10.0.0.2');
    await open(buyer, '10.0.0.1');
    await open(seller, '10.0.0.9');
    await open(admin, '10.0.0.9');
    await open(null, '10.0.0.3', 'Googlebot/2.1 (+http://www.google.com/bot.html)');
    await open(null, '10.0.0.3', null);
    expect(await views()).toBe(4);
    clock.advance(DAY);
    await open(buyer, '10.0.0.1');
    await open(null, '10.0.0.1');
    expect(await views()).toBe(6);
    const events = await db.q().selectFrom('property_view_events').select(['viewer', 'user_id']).execute();
    expect(events).toHaveLength(7);
    expect(events.every((event) => !event.viewer.includes('10.0.0'))).toBe(true);
    const recent = await db
      .q()
      .selectFrom('property_views')
      .selectAll()
      .where('user_id', '=', buyer.id)
      .execute();
    expect(recent).toMatchObject([{ property_id: listing, viewed_at: clock.now() }]);
    expect((await marksFor(testContext(db, { actor: buyer }), [listing])).viewed).toEqual([listing]);
    for (const own of [seller, admin])
      expect((await marksFor(testContext(db, { actor: own }), [listing])).viewed).toEqual([listing]);
    const somebody = await createUser(db, 'buyer');
    expect((await marksFor(testContext(db, { actor: somebody }), [listing])).viewed).toEqual([]);
  });

  it('are recorded 120 times a minute for a network, and beyond that ignored', async () => {
    const clock = testClock();
    const record = () =>
      recordView(testContext(db, { ip: '2001:db8::1', now: clock.now }), {
        propertyId: listing,
        userAgent: BROWSER,
      });
    for (let count = 1; count < 120; count += 1)
      await takeTokens(testContext(db, { now: clock.now }), viewLimits.record, 'ip:2001:db8:0:0::/64');
    const events = async () =>
      (await db.q().selectFrom('property_view_events').select('id').execute()).length;
    const before = await events();
    await record();
    await record();
    expect(await events()).toBe(before + 1);
  });
});
