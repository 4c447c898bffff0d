import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordView } from '#features/views/commands/record-view.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { testClock, testContext } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { createListing } from '#tests/support/listings.ts';
import { createPerson } from '#tests/support/people.ts';
import { setWatch } from './commands/set-watch.ts';
import { marksFor } from './reads.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36';

await describeOnEachDatabase('watches and views', (open) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let listing: string;
  beforeAll(async () => {
    db = await open();
    seller = await createPerson(db, 'agent');
    buyer = await createPerson(db, 'buyer');
    listing = await createListing(db, seller.agentId);
  });
  afterAll(() => db.close());

  it("watching twice is watching once, and it is one person's own", async () => {
    const ctx = testContext(db, { actor: buyer });
    await Promise.all([1, 2, 3].map(() => setWatch(ctx, { propertyId: listing, watched: true })));
    expect((await marksFor(ctx, [listing])).watched).toEqual([listing]);
    const somebody = testContext(db, { actor: await createPerson(db, 'buyer') });
    expect((await marksFor(somebody, [listing])).watched).toEqual([]);
    await setWatch(somebody, { propertyId: listing, watched: false });
    expect((await marksFor(ctx, [listing])).watched).toEqual([listing]);
    await setWatch(ctx, { propertyId: listing, watched: false });
    expect((await marksFor(ctx, [listing])).watched).toEqual([]);
  });

  it('needs somebody signed in and a property this person can see', async () => {
    await expect(setWatch(testContext(db), { propertyId: listing, watched: true })).rejects.toThrow(
      'Authentication required',
    );
    const hidden = await createListing(db, seller.agentId, { status: 'pending' });
    const ctx = testContext(db, { actor: buyer });
    for (const propertyId of [hidden, crypto.randomUUID(), 'nonsense']) {
      await expect(setWatch(ctx, { propertyId, watched: true })).rejects.toThrow('Property not found');
    }
  });

  it('counts each viewer once a day, keeps every opening, and neither owner, admin nor robot', async () => {
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
    const admin = await createPerson(db, 'admin');
    await open(null, '10.0.0.1');
    await open(null, '10.0.0.1');
    await open(null, '10.0.0.2');
    await open(buyer, '10.0.0.1');
    await open(seller, '10.0.0.9');
    await open(admin, '10.0.0.9');
    await open(null, '10.0.0.3', 'Googlebot/2.1 (+http://www.google.com/bot.html)');
    await open(null, '10.0.0.3', null);
    expect(await views()).toBe(4);
    clock.advance(24 * 3_600_000);
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
  });
});
