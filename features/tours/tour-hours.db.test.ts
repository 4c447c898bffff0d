import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { Forbidden } from '#platform/errors.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { removeDay } from './commands/remove-day.ts';
import { saveDay } from './commands/save-day.ts';
import { saveHours } from './commands/save-hours.ts';
import { DAYS_LIMIT } from './model.ts';
import { offersTours, tourHours, tourOffer } from './reads.ts';

await describeOnDatabase('tour hours', (open, kind) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let propertyId: string;
  // A Friday, 8 AM in Los Angeles.
  const clock = testClock('2026-11-20T16:00:00Z');
  const NOON = '2026-11-21T20:00:00.000Z';
  const config = { ...testConfig, relaxedLimits: true };
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now, config });
  beforeAll(async () => {
    db = await open();
    [seller, buyer] = await Promise.all([createUser(db, 'agent'), createUser(db, 'buyer')]);
    propertyId = await createListing(db, seller.agentId);
  });
  afterAll(() => db.close());

  const timesOf = async () => {
    const found = await tourOffer(as(buyer), propertyId);
    if (!found.ok) throw new Error('the listing is not visible');
    return found.offer.days.flatMap(({ times }) => times.map(({ at }) => at));
  };

  it('are checked, replaced as a whole, and differ on single days', async () => {
    const wrong = [{ weekday: 1, starts: 600, ends: 600 }];
    await expect(saveHours(as(seller), { week: wrong })).resolves.toEqual({
      ok: false,
      errors: { day1: 'Please choose an end that is after the start.' },
    });
    await saveHours(as(seller), { week: [{ weekday: 6, starts: 720, ends: 780 }] });
    expect(await timesOf()).toEqual([
      NOON,
      '2026-11-21T20:30:00.000Z',
      '2026-11-28T20:00:00.000Z',
      '2026-11-28T20:30:00.000Z',
    ]);
    expect(await saveDay(as(seller), { day: '2026-11-21', hours: null })).toEqual({ ok: true });
    expect(await saveDay(as(seller), { day: '2026-11-23', hours: { starts: 540, ends: 570 } })).toEqual({
      ok: true,
    });
    expect(await timesOf()).toEqual([
      '2026-11-23T17:00:00.000Z',
      '2026-11-28T20:00:00.000Z',
      '2026-11-28T20:30:00.000Z',
    ]);
    await removeDay(as(seller), { day: '2026-11-21' });
    expect((await tourHours(as(seller))).days).toEqual([
      { day: '2026-11-23', hours: { starts: 540, ends: 570 } },
    ]);
    expect(await saveDay(as(seller), { day: '2025-11-21', hours: null })).toMatchObject({
      errors: { day: 'Please choose a day of the next 12 months.' },
    });
    expect(await saveDay(as(seller), { day: '2026-11-24', hours: { starts: 600, ends: 500 } })).toMatchObject(
      {
        errors: { hours: 'Please choose an end that is after the start.' },
      },
    );
    await expect(saveHours(as({ ...seller, suspended: true }), { week: [] })).rejects.toThrow(Forbidden);
    await expect(saveHours(as(buyer), { week: [] })).rejects.toThrow(Forbidden);
  });

  it('of the week are each seller’s own', async () => {
    const [own, other] = await Promise.all([createUser(db, 'agent'), createUser(db, 'agent')]);
    const [monday, tuesday, sunday] = [1, 2, 0].map((weekday) => [{ weekday, starts: 540, ends: 600 }]);
    await saveHours(as(other), { week: monday ?? [] });
    await saveHours(as(own), { week: tuesday ?? [] });
    await saveHours(as(own), { week: sunday ?? [] });
    expect((await tourHours(as(own))).week).toEqual(sunday);
    expect((await tourHours(as(other))).week).toEqual(monday);
  });

  it('make the page of a listing lead to tours only where its own seller has some', async () => {
    const offers = async ({ id, agentId, name, email }: UserActor) => {
      const seller = { id: agentId ?? '', userId: id, name, email, suspended: false };
      return offersTours(as(buyer), { status: 'Active', seller });
    };
    const [weekly, daily, none] = await Promise.all([
      createUser(db, 'agent'),
      createUser(db, 'agent'),
      createUser(db, 'agent'),
    ]);
    await saveHours(as(weekly), { week: [{ weekday: 1, starts: 540, ends: 600 }] });
    await saveDay(as(daily), { day: '2026-11-24', hours: { starts: 540, ends: 600 } });
    expect([await offers(weekly), await offers(daily), await offers(none)]).toEqual([true, true, false]);
  });

  it('are kept from a buyer who was a seller before', async () => {
    const former = as({ ...(await createUser(db, 'agent')), role: 'buyer' });
    await expect(tourHours(former)).rejects.toThrow(Forbidden);
    await expect(saveHours(former, { week: [] })).rejects.toThrow(Forbidden);
    await expect(saveDay(former, { day: '2026-11-24', hours: null })).rejects.toThrow(Forbidden);
    await expect(removeDay(former, { day: '2026-11-24' })).rejects.toThrow(Forbidden);
  });

  it('of single days are each seller’s own, a hundred at most, and past ones are forgotten', async () => {
    const [own, other] = await Promise.all([createUser(db, 'agent'), createUser(db, 'agent')]);
    const dayAfter = (days: number) =>
      new Date(clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
    const past = dayAfter(-3);
    const rows = [past, ...Array.from({ length: DAYS_LIMIT }, (_, at) => dayAfter(at + 1))];
    await db
      .q()
      .insertInto('tour_days')
      .values(rows.map((day) => ({ agent_id: other.agentId ?? '', day })))
      .execute();
    const daysOf = async ({ agentId }: UserActor) => {
      const found = await db
        .q()
        .selectFrom('tour_days')
        .select((row) => sql<string>`${row.ref('day')}::text`.as('day'))
        .where('agent_id', '=', agentId ?? '')
        .orderBy('day')
        .execute();
      return found.map(({ day }) => day);
    };
    // What others have neither counts, nor is swept or removed.
    expect(await saveDay(as(own), { day: dayAfter(1), hours: null })).toEqual({ ok: true });
    await removeDay(as(own), { day: dayAfter(1) });
    expect(await daysOf(own)).toEqual([]);
    expect((await tourHours(as(own))).days).toEqual([]);
    expect(await daysOf(other)).toEqual(rows);
    const refused = { errors: { day: 'You can enter at most 100 days. Please remove some.' } };
    expect(await saveDay(as(other), { day: dayAfter(300), hours: null })).toMatchObject(refused);
    expect(await saveDay(as(other), { day: dayAfter(1), hours: { starts: 540, ends: 600 } })).toEqual({
      ok: true,
    });
    expect(await daysOf(other)).toEqual(rows.slice(1));
  });

  // The embedded database has one session, which the holder has.
  it.skipIf(kind === 'embedded')('of a day are saved while something else holds another seller', async () => {
    const [own, other] = await Promise.all([createUser(db, 'agent'), createUser(db, 'agent')]);
    const [held, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = db.tx(async () => {
      await db.q().selectFrom('agents').select('id').where('id', '=', other.agentId).forUpdate().execute();
      held.resolve();
      await letGo.promise;
    });
    await held.promise;
    let saved = false;
    const saving = saveDay(as(own), { day: '2026-11-24', hours: null }).then(() => {
      saved = true;
    });
    await untilItWaits(db, saving);
    expect(saved).toBe(true);
    letGo.resolve();
    await Promise.all([holder, saving]);
  });

  it.skipIf(kind === 'embedded')('of a week are saved while those of another seller are saved', async () => {
    const [own, other] = await Promise.all([createUser(db, 'agent'), createUser(db, 'agent')]);
    const week = [{ weekday: 1, starts: 540, ends: 600 }];
    const ended: string[] = [];
    const held = holdStatement(db, /insert into "tour_hours"/);
    const first = saveHours({ ...as(other), db: held.db }, { week }).then(() => ended.push('other'));
    await held.reached;
    const second = saveHours(as(own), { week }).then(() => ended.push('own'));
    await untilItWaits(db, second);
    held.letGo();
    await Promise.all([first, second]);
    expect(ended).toEqual(['own', 'other']);
  });
});
