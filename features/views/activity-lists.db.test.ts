import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownSales } from '#features/sales/reads.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { watchedListings } from '#features/watches/reads.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { chargeFees, createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { recordView } from './commands/record-view.ts';
import { recentlyViewed } from './reads.ts';

await describeOnDatabase('activity lists', (open) => {
  let db: Database;
  let seller: UserActor;
  const clock = testClock();
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const counted = (ctx: Ctx, read: (ctx: Ctx) => Promise<unknown>) =>
    countQueries(db, (database) => read({ ...ctx, db: database }));
  const viewListing = async (actor: UserActor, propertyId: string) => {
    clock.advance(1_000);
    await recordView(as(actor), { propertyId, userAgent: 'Firefox' });
  };
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
    seller = await createUser(db, 'agent');
  });
  afterAll(() => db.close());

  it('show the last ten viewed properties, newest first, including sold ones but none the user may not see', async () => {
    const [buyer, other] = [await createUser(db, 'buyer'), await createUser(db, 'buyer')];
    const listingIds: string[] = [];
    for (let n = 0; n < 14; n++) listingIds.push(await createListing(db, seller.agentId));
    for (const listingId of listingIds) await viewListing(buyer, listingId);
    await viewListing(other, listingIds[5] ?? '');
    await viewListing(buyer, listingIds[3] ?? '');
    const set = (at: number, values: object) =>
      db
        .q()
        .updateTable('properties')
        .set(values)
        .where('id', '=', listingIds[at] ?? '')
        .execute();
    await set(13, { status: 'withdrawn' });
    await set(12, { status: 'Sold' });
    await set(11, { deleted_at: new Date() });
    const seen = await recentlyViewed(as(buyer));
    expect(seen.map(({ card }) => listingIds.indexOf(card.id))).toEqual([3, 12, 10, 9, 8, 7, 6, 5, 4, 2]);
    expect(seen[1]?.card.status).toBe('Sold');
    expect(seen[0]?.viewedAt).toBe(clock.now().toISOString());
    expect((await recentlyViewed(as(other))).map(({ card }) => card.id)).toEqual([listingIds[5]]);
    expect(await counted(as(buyer), recentlyViewed)).toBe(await counted(as(other), recentlyViewed));
  });

  it('page through the watched properties, the newest watch first, without a query per row', async () => {
    const [buyer, other] = [await createUser(db, 'buyer'), await createUser(db, 'buyer')];
    const listingIds: string[] = [];
    for (let n = 0; n < 50; n++) listingIds.push(await createListing(db, seller.agentId));
    for (const [n, propertyId] of listingIds.entries()) {
      if (n % 2) clock.advance(1_000);
      await setWatch(as(buyer), { propertyId, watched: true });
    }
    const first = await watchedListings(as(buyer));
    const second = await watchedListings(as(buyer), { before: first.before });
    expect([first.cards.length, second.cards.length, second.before]).toEqual([48, 2, null]);
    expect(new Set([...first.cards, ...second.cards].map(({ id }) => id))).toEqual(new Set(listingIds));
    expect(first.cards[0]?.totalCents).toBeGreaterThan(first.cards[0]?.baseCents ?? 0);
    await db
      .q()
      .updateTable('properties')
      .set({ status: 'withdrawn' })
      .where('id', '=', listingIds[0] ?? '')
      .execute();
    expect((await watchedListings(as(buyer), { before: first.before })).cards).toHaveLength(1);
    expect(await watchedListings(as(other))).toEqual({ cards: [], before: null });
    await setWatch(as(other), { propertyId: listingIds[1] ?? '', watched: true });
    const read = (ctx: Ctx) => watchedListings(ctx);
    expect(await counted(as(buyer), read)).toBe(await counted(as(other), read));
  });

  it('show purchases with the amount charged, their states and whether there is a receipt', async () => {
    const scenario = await createSaleScenario(db);
    const [held, paid] = [
      await scenario.createListing({ address: '1 Held Lane' }),
      await scenario.createListing({ address: '2 Paid Lane' }),
    ];
    const begun = await scenario.checkout(scenario.buyer, held);
    scenario.clock.advance(MINUTE);
    const bought = await scenario.checkout(scenario.buyer, paid);
    await scenario.actOnCheckoutPage(bought.ref, 'pay');
    await scenario.sync(bought.saleId);
    const { rows, before } = await ownSales(scenario.contextFor(scenario.buyer));
    expect(rows).toMatchObject([
      {
        id: bought.saleId,
        paid: true,
        property: { address: '2 Paid Lane', canOpen: true },
        state: { payment: 'completed', escrow: 'in_escrow', payout: null },
        method: 'card',
        receiptReady: true,
        date: scenario.clock.now().toISOString(),
      },
      {
        id: begun.saleId,
        paid: false,
        property: { address: '1 Held Lane', canOpen: true },
        state: { payment: 'pending', escrow: 'pending', payout: null },
        receiptReady: false,
      },
    ]);
    const { total_cents } = await db
      .q()
      .selectFrom('property_sales')
      .select('total_cents')
      .where('id', '=', bought.saleId)
      .executeTakeFirstOrThrow();
    expect(rows[0]?.amountCents).toBe(total_cents);
    expect(before).toBeNull();
    expect(await ownSales(scenario.contextFor(scenario.otherBuyer))).toEqual({ rows: [], before: null });
    const read = (ctx: Ctx) => ownSales(ctx);
    expect(await counted(scenario.contextFor(scenario.buyer), read)).toBe(
      await counted(scenario.contextFor(scenario.otherBuyer), read),
    );
  });
});
