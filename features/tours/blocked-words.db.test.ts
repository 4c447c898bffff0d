import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { cancelTour } from './commands/cancel-tour.ts';
import { proposeTour } from './commands/propose-tour.ts';
import { requestTour } from './commands/request-tour.ts';
import { saveHours } from './commands/save-hours.ts';

const WORDS = 'You will hear from me.';

await describeOnDatabase('a tour whose parties have fallen out', (open) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let tourId: string;
  const clock = testClock('2026-11-20T16:00:00Z');
  const config = { ...testConfig, relaxedLimits: true };
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now, config });
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    [seller, buyer] = await Promise.all([createUser(db, 'agent'), createUser(db, 'buyer')]);
    const propertyId = await createListing(db, seller.agentId);
    const week = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, starts: 540, ends: 1020 }));
    await saveHours(as(seller), { week });
    const startsAt = '2026-11-21T20:00:00.000Z';
    const asked = await requestTour(as(buyer), { propertyId, startsAt, note: '', key: propertyId });
    if (!asked.ok) throw new Error(asked.reason);
    tourId = asked.tourId;
  });

  const block = (user: UserActor, other: UserActor) =>
    db.q().insertInto('user_blocks').values({ user_id: user.id, blocked_id: other.id }).execute();
  /** The last mail about the tour, and what its page shows. */
  async function toldTo({ email }: UserActor) {
    const [mails, tour] = await Promise.all([
      db.q().selectFrom('mail_outbox').select('text_body').where('to_address', '=', email).execute(),
      db.q().selectFrom('tours').select(['status', 'answer']).where('id', '=', tourId).executeTakeFirst(),
    ]);
    return { ...tour, mailed: mails.some(({ text_body }) => text_body.includes(WORDS)), mails: mails.length };
  }
  const cancel = () => cancelTour(as(buyer), { tourId, sequence: 0, reason: WORDS });
  const propose = () =>
    proposeTour(as(seller), { tourId, sequence: 0, day: '2026-11-22', minutes: 600, reason: WORDS });

  it('is changed with words while nobody is blocked', async () => {
    expect(await propose()).toEqual({ ok: true });
    expect(await toldTo(buyer)).toMatchObject({ status: 'proposed', answer: WORDS, mailed: true });
  });

  it('is cancelled by a blocked buyer, without words', async () => {
    await block(seller, buyer);
    expect(await cancel()).toEqual({ ok: true });
    // The request, and that it was cancelled.
    expect(await toldTo(seller)).toEqual({ status: 'cancelled', answer: '', mailed: false, mails: 2 });
  });

  it('is moved by a seller who has blocked the buyer or is blocked, without words', async () => {
    await block(buyer, seller);
    expect(await propose()).toEqual({ ok: true });
    expect(await toldTo(buyer)).toMatchObject({ status: 'proposed', answer: '', mailed: false });
  });
});
