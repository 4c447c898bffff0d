import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Actor, type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { NotFound } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { cancelToursOf } from './commands/cancel-tours-of.ts';
import { requestTour } from './commands/request-tour.ts';
import { saveHours } from './commands/save-hours.ts';
import { offeredDays } from './offered-days.ts';
import { tourOffer } from './reads.ts';

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, starts: 540, ends: 1020 }));
const NOON = '2026-11-21T20:00:00.000Z';

await describeOnDatabase('asking for a tour', (open) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let other: UserActor;
  let propertyId: string;
  // A Friday, 8 AM in Los Angeles.
  const clock = testClock('2026-11-20T16:00:00Z');
  const config = { ...testConfig, relaxedLimits: true };
  const as = (actor: Actor) => testContext(db, { actor, now: clock.now, config });
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    [buyer, other] = await Promise.all([createUser(db, 'buyer'), createUser(db, 'buyer')]);
    ({ seller, propertyId } = await listed());
  });

  /** A seller with hours on every day, and a listing of theirs. */
  async function listed() {
    const seller = await createUser(db, 'agent');
    await saveHours(as(seller), { week: EVERY_DAY });
    return { seller, propertyId: await createListing(db, seller.agentId) };
  }
  const ask = (by: UserActor, { id = propertyId, key = randomUUID() as string } = {}) =>
    requestTour(as(by), { propertyId: id, startsAt: NOON, note: '', key });

  it('is possible at a time at which another seller has a tour', async () => {
    const rival = await listed();
    expect(await ask(other, { id: rival.propertyId })).toMatchObject({ ok: true });
    expect(await ask(buyer)).toMatchObject({ ok: true });
  });

  it('is not taken for the request of another buyer who sent the same key', async () => {
    expect(await ask(other, { key: 'same' })).toMatchObject({ ok: true });
    expect(await ask(buyer, { key: 'same' })).toEqual({ ok: false, reason: 'not_free' });
  });

  it('is in vain once the buyer’s account is closed, but not for other buyers', async () => {
    const rival = await listed();
    expect(await ask(other, { id: rival.propertyId })).toMatchObject({ ok: true });
    expect(await ask(buyer)).toMatchObject({ ok: true });
    const system = as({ kind: 'system', name: 'test' });
    expect(await db.tx(() => cancelToursOf(system, { buyerId: buyer.id }))).toBe(1);
    expect(await db.tx(() => cancelToursOf(system, { buyerId: other.id }))).toBe(1);
  });

  it('is offered to visitors, who are told of nobody’s tour', async () => {
    await ask(buyer);
    await expect(tourOffer(as(visitor), propertyId)).resolves.toMatchObject({
      ok: true,
      offer: {
        signedIn: false,
        refusal: null,
        open: null,
        days: expect.arrayContaining([expect.anything()]),
      },
    });
  });

  it('is refused when its seller is archived and the listing is not yet withdrawn', async () => {
    await db
      .q()
      .updateTable('agents')
      .set({ archived_at: clock.now() })
      .where('id', '=', seller.agentId)
      .execute();
    expect(await ask(buyer)).toEqual({ ok: false, reason: 'suspended' });
    expect(await tourOffer(as(visitor), propertyId)).toMatchObject({
      ok: true,
      offer: { refusal: 'suspended', days: [] },
    });
  });

  it('finds no times of a listing that does not exist', async () => {
    await expect(offeredDays(as(buyer), randomUUID(), seller.agentId ?? '')).rejects.toThrow(NotFound);
  });
});
