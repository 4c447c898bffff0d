import { afterAll, beforeAll, expect, it } from 'vitest';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import { recordChanges } from '#features/listings/commands/record-changes.ts';
import type { ListingEvent } from '#features/listings/transitions.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { publicHistory } from './reads.ts';

const DAY_MS = 86_400_000;

await describeOnDatabase('the public history of a listing', (open) => {
  let db: Database;
  let seller: UserActor;
  let admin: UserActor;
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    admin = await createUser(db, 'admin');
  });
  afterAll(() => db.close());

  it('follows a listing through approval, a new price, withdrawal and relisting', async () => {
    const clock = testClock('2026-03-01T12:00:00Z');
    const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
    const id = await createListing(db, seller.agentId, { status: 'pending', price_cents: 500_000_00 });
    const move = async (actor: UserActor, event: ListingEvent) => {
      clock.advance(DAY_MS);
      expect(await moveListing(as(actor), { propertyId: id, event, reason: 'between us' })).toMatchObject({
        ok: true,
      });
    };
    const setPrice = async (from: number, to: number) => {
      clock.advance(DAY_MS);
      await db.q().updateTable('properties').set({ price_cents: to }).where('id', '=', id).execute();
      await recordChanges(as(seller), { propertyId: id, changes: [{ field: 'price_cents', from, to }] });
    };
    expect(await publicHistory(as(seller), id)).toEqual({ events: [], days: null });

    await setPrice(500_000_00, 490_000_00);
    await move(admin, 'approve');
    await setPrice(490_000_00, 480_000_00);
    await move(seller, 'withdraw');
    await setPrice(480_000_00, 450_000_00);
    await move(seller, 'relist');
    clock.advance(10 * DAY_MS);

    const history = await publicHistory(testContext(db, { now: clock.now }), id);
    expect(history.events.map(({ kind, cents, previousCents }) => [kind, cents, previousCents])).toEqual([
      ['relisted', 450_000_00, 480_000_00],
      ['removed', 480_000_00, null],
      ['price', 480_000_00, 490_000_00],
      ['listed', 490_000_00, null],
    ]);
    expect(history.events.at(-1)?.at).toBe('2026-03-03T12:00:00.000Z');
    expect(history.days).toBeGreaterThanOrEqual(10);
    expect(JSON.stringify(history)).not.toContain('between us');
  });
});
