import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import { eraseBuyer } from '#features/personal-data/commands/erase-buyer.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { contextForCookie, createAccount, PASSWORD, signInCookie } from '#tests/support/fixtures/accounts.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { confirmTour } from './commands/confirm-tour.ts';
import { requestTour } from './commands/request-tour.ts';
import { saveHours } from './commands/save-hours.ts';
import { tourOffer } from './reads.ts';

/** Every day from 9 AM to 5 PM. */
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, starts: 540, ends: 1020 }));

// The embedded database has one connection, so that nothing there waits for another transaction.
await describeOnDatabase('tours and those who hold their listing or their buyer', (open, kind) => {
  let db: Database;
  let sales: SaleScenario;
  let buyer: UserActor;
  let propertyId: string;
  beforeAll(async () => {
    db = await open();
    sales = await createSaleScenario(db);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await db.q().deleteFrom('tours').execute();
    const email = `toured-${randomUUID()}@acre.test`;
    await createAccount(db, email);
    const { ctx } = await contextForCookie(db, await signInCookie(db, email));
    if (ctx.actor.kind !== 'user') throw new Error('Nobody has signed in');
    buyer = ctx.actor;
    propertyId = await sales.createListing();
    await saveHours(as(sales.seller), { week: EVERY_DAY });
  });
  const onServer = it.skipIf(kind === 'embedded');
  const as = (actor: UserActor, on = db) => ({ ...sales.contextFor(actor), db: on });
  const ask = async (on = db, by = buyer) => {
    const found = await tourOffer(as(by), propertyId);
    const startsAt = (found.ok && found.offer.days[0]?.times[0]?.at) || '';
    return requestTour(as(by, on), { propertyId, startsAt, note: '', key: randomUUID() });
  };
  const asked = async () => {
    const result = await ask();
    if (!result.ok) throw new Error(result.reason);
    return result.tourId;
  };
  const watch = () => setWatch(as(buyer), { propertyId, watched: true });
  const bell = async () =>
    (
      await db
        .q()
        .selectFrom('property_notifications')
        .select('notification_type')
        .where('user_id', '=', buyer.id)
        .execute()
    ).map(({ notification_type }) => notification_type);
  const tours = () => db.q().selectFrom('tours').select('status').where('buyer_id', '=', buyer.id).execute();

  onServer('a tour is asked for by a watcher of the listing while its seller withdraws it', async () => {
    await watch();
    // The buyer is held, and the tour is next, which refers to the listing.
    const tour = holdStatement(db, /insert into "tours"/);
    const requested = ask(tour.db);
    await tour.reached;
    const withdrawn = withdrawListing(as(sales.seller), { propertyId });
    await untilItWaits(db, withdrawn);
    tour.letGo();
    expect(await requested).toMatchObject({ ok: true });
    expect(await withdrawn).toEqual({ ok: true });
    expect(await bell()).toEqual(['status_change']);
  });

  onServer('two buyers ask for the same time, and neither waits for the other', async () => {
    // The account of the first is held, and the tour is next.
    const tour = holdStatement(db, /insert into "tours"/);
    const first = ask(tour.db);
    await tour.reached;
    const second = ask(db, await createUser(db, 'buyer'));
    await untilItWaits(db, second);
    tour.letGo();
    expect(await second).toMatchObject({ ok: true });
    expect(await first).toEqual({ ok: false, reason: 'not_free' });
  });

  onServer('a tour is asked for while its buyer begins to buy the listing', async () => {
    // The listing is held, and the buyer is next.
    const purchase = holdStatement(db, /from "users" where "id" = \$1 for no key update/);
    const bought = beginPurchase(as(buyer, purchase.db), {
      propertyId,
      method: 'card',
      expectedCents: null,
      key: randomUUID(),
    });
    await purchase.reached;
    const requested = ask();
    await untilItWaits(db, requested);
    purchase.letGo();
    expect(await bought).toMatchObject({ ok: true });
    expect(await requested).toMatchObject({ ok: true });
  });

  onServer('a tour is confirmed while its buyer closes their account', async () => {
    const tourId = await asked();
    // The tour is held, and its buyer's bell is next.
    const notice = holdStatement(db, /insert into "property_notifications"/);
    const confirmed = confirmTour(as(sales.seller, notice.db), { tourId, sequence: 0 });
    await notice.reached;
    const closed = closeAccount(as(buyer), { password: PASSWORD });
    await untilItWaits(db, closed);
    notice.letGo();
    expect(await confirmed).toEqual({ ok: true });
    expect(await closed).toMatchObject({ ok: true });
    expect(await tours()).toEqual([]);
  });

  onServer('a listing is withdrawn while an administrator erases a watcher who wants to see it', async () => {
    await asked();
    await watch();
    // The buyer is held, and the tour's cancellation is next, of which the seller is told.
    const notice = holdStatement(db, /insert into "property_notifications"/);
    const erased = eraseBuyer(as(sales.admin, notice.db), {
      buyerId: buyer.id,
      reason: 'They asked for it',
      confirmation: buyer.email,
    });
    await notice.reached;
    const withdrawn = withdrawListing(as(sales.seller), { propertyId });
    await untilItWaits(db, withdrawn);
    notice.letGo();
    expect(await erased).toMatchObject({ ok: true });
    expect(await withdrawn).toEqual({ ok: true });
    expect(await tours()).toEqual([]);
    expect(await bell()).toEqual([]);
  });
});
