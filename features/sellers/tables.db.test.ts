import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownListings, recentListings } from '#features/listings/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

await describeOnDatabase("a seller's tables", (open) => {
  let db: Database;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('list the seller’s own listings, newest first, sorted, searched and paged', async () => {
    const [seller, other] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const ctx = testContext(db, { actor: seller, now: clock.now });
    const ago = (days: number) => new Date(clock.now().getTime() - days * DAY);
    expect(await ownListings(ctx)).toEqual({ rows: [], total: 0, page: 1, pages: 1, draft: null });
    for (let n = 1; n <= 30; n++)
      await createListing(db, seller.agentId, {
        address: `${n} Ladder Street`,
        title: n === 7 ? '100% charm_ing' : null,
        price_cents: (n % 10) * 1_000_00 + 100_000_00,
        created_at: ago(n),
        listed_at: ago(n),
        views: n * 3,
      });
    await createListing(db, seller.agentId, {
      address: '31 Waiting Street',
      status: 'pending',
      created_at: ago(31),
    });
    await createListing(db, seller.agentId, { address: '32 Gone Street', deleted_at: ago(0) });
    await createListing(db, other.agentId, { address: '1 Foreign Street' });

    const first = await ownListings(ctx);
    expect(first).toMatchObject({ total: 31, page: 1, pages: 2 });
    expect(first.rows.map(({ address }) => address).slice(0, 3)).toEqual([
      '1 Ladder Street',
      '2 Ladder Street',
      '3 Ladder Street',
    ]);
    expect(first.rows[4]).toMatchObject({
      town: 'Cedar Hollow, OR 97031',
      priceCents: 105_000_00,
      status: 'Active',
      days: 5,
      views: 15,
      type: 'Single Family',
    });
    const second = await ownListings(ctx, { page: 99 });
    expect(second.page).toBe(2);
    expect(second.rows.map(({ id }) => id).some((id) => first.rows.some((row) => row.id === id))).toBe(false);
    expect(first.rows.length + second.rows.length).toBe(31);

    const sorted = await ownListings(ctx, { sort: { by: 'price', descending: true } });
    const prices = sorted.rows.map(({ priceCents }) => priceCents);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    const byDays = await ownListings(ctx, { sort: { by: 'days', descending: false } });
    expect(byDays.rows[0]).toMatchObject({ address: '31 Waiting Street', days: 0 });
    const byStatus = await ownListings(ctx, { sort: { by: 'status', descending: true } });
    expect(byStatus.rows[0]?.status).toBe('pending');

    const searchAddresses = async (q: string) =>
      (await ownListings(ctx, { q })).rows.map(({ address }) => address);
    expect(await searchAddresses(' 17 LADDER ')).toEqual(['17 Ladder Street']);
    expect(await searchAddresses('100% charm_')).toEqual(['7 Ladder Street']);
    expect(await searchAddresses('%')).toEqual(['7 Ladder Street']);
    expect(await searchAddresses('foreign')).toEqual([]);
    expect(await searchAddresses('gone')).toEqual([]);
    expect(await recentListings(ctx)).toMatchObject({ active: 30 });
    expect((await recentListings(ctx)).rows.map(({ address }) => address)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `${n} Ladder Street`),
    );
  });

  it('tell which listings buyers see: none of a suspended seller but those that are sold or being bought', async () => {
    const seller = await createUser(db, 'agent');
    const ctx = testContext(db, { actor: seller, now: clock.now });
    for (const status of ['Active', 'pending', 'withdrawn', 'escrow', 'Sold'] as const)
      await createListing(db, seller.agentId, { status });
    const seen = async () =>
      (await ownListings(ctx)).rows.flatMap(({ status, isPublic }) => (isPublic ? status : [])).toSorted();
    expect(await seen()).toEqual(['Active', 'Sold', 'escrow']);
    await db
      .q()
      .updateTable('agents')
      .set({ status: 'suspended' })
      .where('id', '=', seller.agentId)
      .execute();
    expect(await seen()).toEqual(['Sold', 'escrow']);
  });

  it('show the unsubmitted draft, on the first page only', async () => {
    const seller = await createUser(db, 'agent');
    const ctx = testContext(db, { actor: seller, now: clock.now });
    const listingId = await createListing(db, seller.agentId);
    const form = (values: object) => JSON.stringify(values);
    const draft = (property_id: string | null, values: object) =>
      db
        .q()
        .insertInto('property_drafts')
        .values({ agent_id: seller.agentId ?? '', property_id, form: form(values) })
        .execute();
    await draft(listingId, { title: 'An edit' });
    expect((await ownListings(ctx)).draft).toBeNull();
    await draft(null, { title: ' ', address: '9 Half Street' });
    expect((await ownListings(ctx)).draft).toMatchObject({ title: '9 Half Street' });
    expect((await ownListings(ctx, { q: 'larkspur' })).draft).toBeNull();
    const other = await createUser(db, 'agent');
    expect((await ownListings(testContext(db, { actor: other }))).draft).toBeNull();
  });
});
