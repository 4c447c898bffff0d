import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeAccount } from '#features/personal-data/commands/close-account.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { Forbidden, NotFound, TooManyRequests } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { contextForCookie, createAccount, PASSWORD, signInCookie } from '#tests/support/fixtures/accounts.ts';
import { type TestClock, testClock, testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { cancelTour } from './commands/cancel-tour.ts';
import { confirmTour } from './commands/confirm-tour.ts';
import { declineTour } from './commands/decline-tour.ts';
import { proposeTour } from './commands/propose-tour.ts';
import { requestTour } from './commands/request-tour.ts';
import { saveHours } from './commands/save-hours.ts';
import { updateTours } from './commands/update-tours.ts';
import { offersTours, ownTours, tourFile, tourOffer } from './reads.ts';

/** Every day from 9 AM to 5 PM. */
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, starts: 540, ends: 1020 }));

await describeOnDatabase('tours', (open) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let other: UserActor;
  let propertyId: string;
  let clock: TestClock;
  let keys = 0;
  const config = { ...testConfig, relaxedLimits: true };
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now, config });
  const system = () => testContext(db, { actor: { kind: 'system', name: 'test' }, now: clock.now, config });
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    // A Friday, 8 AM in Los Angeles.
    clock = testClock('2026-11-20T16:00:00Z');
    await db.q().deleteFrom('tours').execute();
    await db.q().deleteFrom('mail_outbox').execute();
    [seller, buyer, other] = await Promise.all([
      createUser(db, 'agent'),
      createUser(db, 'buyer'),
      createUser(db, 'buyer'),
    ]);
    propertyId = await createListing(db, seller.agentId);
    await saveHours(as(seller), { week: EVERY_DAY });
  });

  const timesOf = async (id = propertyId) => {
    const found = await tourOffer(as(buyer), id);
    if (!found.ok) throw new Error('the listing is not visible');
    return found.offer.days.flatMap(({ times }) => times.map(({ at }) => at));
  };
  const ask = (startsAt: string, { by = buyer, id = propertyId, key = `key ${keys++}`, note = '' } = {}) =>
    requestTour(as(by), { propertyId: id, startsAt, note, key });
  const asked = async (startsAt: string, choices = {}) => {
    const result = await ask(startsAt, choices);
    if (!result.ok) throw new Error(`the request was refused: ${result.reason}`);
    return result.tourId;
  };
  const tourOf = (id: string) =>
    db.q().selectFrom('tours').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const bellOf = async ({ id }: UserActor) =>
    (
      await db
        .q()
        .selectFrom('property_notifications')
        .select('message')
        .where('user_id', '=', id)
        .where('notification_type', '=', 'tour')
        .orderBy('created_at')
        .orderBy('message')
        .execute()
    ).map(({ message }) => message);
  const mailsTo = ({ email }: UserActor) =>
    db
      .q()
      .selectFrom('mail_outbox')
      .select(['subject', 'calendar_method', 'calendar_file', 'text_body'])
      .where('to_address', '=', email)
      // As their transactions followed each other: the clock of the tests stands still.
      .orderBy(sql`xmin::text::bigint`)
      .orderBy('idempotency_key')
      .execute();
  const subjectsTo = async (person: UserActor) => (await mailsTo(person)).map(({ subject }) => subject);
  const NOON = '2026-11-21T20:00:00.000Z';

  it('are asked for and confirmed: bell, mails and a calendar file for both, audited', async () => {
    const offers = async (ctx: Ctx) => offersTours(ctx, { status: 'Active', seller: sellerPart() });
    expect(await offers(as(buyer))).toBe(true);
    expect(await offers(testContext(db))).toBe(true);
    // Who can ask for none is shown no link.
    for (const role of ['agent', 'admin'] as const)
      expect(await offers(as(await createUser(db, role)))).toBe(false);
    const id = await asked(NOON, { note: ' We love the garden.\u0000 ' });
    expect(await bellOf(seller)).toEqual([
      'New tour request for 48 Larkspur Lane, Sat, Nov 21, 12:00 PM PST',
    ]);
    expect(await bellOf(buyer)).toEqual([]);
    const [request] = await mailsTo(seller);
    expect(request).toMatchObject({
      subject: 'New tour request for 48 Larkspur Lane',
      calendar_method: null,
    });
    expect(request?.text_body).toContain('We love the garden.');
    expect((await ownTours(as(seller), { side: 'seller' })).open).toMatchObject([
      { id, side: 'seller', other: buyer.name, actions: ['confirm', 'propose', 'decline'], hasFile: false },
    ]);
    expect((await ownTours(as(buyer), { side: 'buyer' })).open).toMatchObject([{ id, actions: ['cancel'] }]);
    await expect(tourFile(as(buyer), id)).rejects.toThrow(NotFound);

    expect(await confirmTour(as(seller), { tourId: id, sequence: 0 })).toEqual({ ok: true });
    expect(await confirmTour(as(seller), { tourId: id, sequence: 0 })).toEqual({ ok: true });
    expect(await bellOf(buyer)).toEqual(['Tour confirmed: 48 Larkspur Lane, Sat, Nov 21, 12:00 PM PST']);
    for (const [person, stranger] of [
      [buyer, seller],
      [seller, buyer],
    ] as const) {
      const mail = (await mailsTo(person)).at(-1);
      expect(mail).toMatchObject({ subject: 'Tour confirmed: 48 Larkspur Lane', calendar_method: 'REQUEST' });
      expect(mail?.calendar_file).toContain('METHOD:REQUEST\r\n');
      expect(mail?.calendar_file).toContain('SEQUENCE:1\r\n');
      const file = (mail?.calendar_file ?? '').replaceAll('\r\n ', '');
      expect(file).toContain(`mailto:${person.email}`);
      expect(file).not.toContain(stranger.email);
      expect(await tourFile(as(person), id)).toBe(mail?.calendar_file);
    }
    await expect(tourFile(as(other), id)).rejects.toThrow(NotFound);
    expect(await timesOf()).not.toContain(NOON);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity', '=', 'tour')
      .where('entity_id', '=', id)
      .orderBy('id')
      .execute();
    expect(audited.map(({ action }) => action)).toEqual(['tour.request', 'tour.confirm']);
  });

  const sellerPart = () => ({
    id: seller.agentId ?? '',
    name: seller.name,
    email: seller.email,
    userId: seller.id,
    suspended: false,
  });

  it('cannot be booked twice: not by two buyers, not by one of two properties, also at the same moment', async () => {
    const second = await createListing(db, seller.agentId, { address: '50 Larkspur Lane' });
    const results = await Promise.all([ask(NOON), ask(NOON, { by: other, id: second })]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'not_free' });
    const taken = await db.q().selectFrom('tours').selectAll().executeTakeFirstOrThrow();
    const { id: _, key: __, ...copy } = taken;
    await expect(
      db
        .q()
        .insertInto('tours')
        .values({ ...copy, key: 'another', buyer_id: (await createUser(db, 'buyer')).id } as never)
        .execute(),
    ).rejects.toMatchObject({ code: '23505' });
    await expect(
      db
        .q()
        .insertInto('tours')
        .values({ ...copy, key: 'odd', starts_at: new Date('2026-11-21T20:10:00Z') } as never)
        .execute(),
    ).rejects.toMatchObject({ code: '23514' });
    // The buyer who got it cannot be at another seller's at the same time.
    const winner = results[0]?.ok ? buyer : other;
    const rival = await createUser(db, 'agent');
    await saveHours(as(rival), { week: EVERY_DAY });
    const theirs = await createListing(db, rival.agentId);
    expect(await ask(NOON, { by: winner, id: theirs })).toEqual({ ok: false, reason: 'busy' });
    expect(await ask('2026-11-21T20:30:00.000Z', { by: winner, id: theirs })).toMatchObject({ ok: true });
  });

  it('are asked for once by one form, one of a property at a time, and within bounds', async () => {
    const id = await asked(NOON, { key: 'same' });
    expect(await ask(NOON, { key: 'same' })).toEqual({ ok: true, tourId: id });
    expect(await ask('2026-11-22T20:00:00.000Z')).toEqual({ ok: false, reason: 'open' });
    // A page that was gone back to sends the same key with another time.
    expect(await ask('2026-11-22T20:00:00.000Z', { key: 'same' })).toEqual({ ok: false, reason: 'open' });
    const agent = await createUser(db, 'agent');
    for (const [reason, startsAt, choices] of [
      ['not_free', '2026-11-21T20:10:00.000Z', { by: other }],
      ['not_free', '2026-11-21T13:00:00.000Z', { by: other }],
      ['not_free', '2027-11-21T20:00:00.000Z', { by: other }],
      ['not_free', '2026-11-20T17:30:00.000Z', { by: other }],
      ['no_time', 'soon', { by: other }],
      ['too_long', NOON, { by: other, note: 'x'.repeat(501) }],
      ['own', NOON, { by: seller }],
      ['not_buyer', NOON, { by: agent }],
      ['account_suspended', NOON, { by: { ...other, suspended: true } }],
    ] as const)
      await expect(ask(startsAt, choices)).resolves.toEqual({ ok: false, reason });
    await db.q().insertInto('user_blocks').values({ user_id: seller.id, blocked_id: other.id }).execute();
    expect(await ask(NOON, { by: other })).toEqual({ ok: false, reason: 'blocked' });
    expect(await tourOffer(as(other), propertyId)).toMatchObject({ offer: { refusal: 'blocked', days: [] } });
    await expect(ask(NOON, { id: 'nothing' })).rejects.toThrow(NotFound);
  });

  it('can be moved by the seller: the time before is free, both calendars are cleared, the buyer confirms', async () => {
    const id = await asked(NOON);
    await confirmTour(as(seller), { tourId: id, sequence: 0 });
    const move = (day: string, minutes: number, sequence: number) =>
      proposeTour(as(seller), { tourId: id, sequence, day, minutes, reason: 'The roofer comes.' });
    await expect(move('2026-11-21', 12 * 60, 1)).resolves.toEqual({ ok: false, reason: 'no_time' });
    expect(await move('2026-11-21', 12 * 60 + 10, 1)).toEqual({ ok: false, reason: 'no_time' });
    expect(await move('2026-02-30', 600, 1)).toEqual({ ok: false, reason: 'no_time' });
    expect(await move('2026-11-20', 60, 1)).toEqual({ ok: false, reason: 'past' });
    expect(await move('2027-03-20', 600, 1)).toEqual({ ok: false, reason: 'past' });
    // Outside of the hours that buyers see.
    expect(await move('2026-11-22', 19 * 60, 1)).toEqual({ ok: true });
    expect(await move('2026-11-23', 600, 1)).toEqual({ ok: false, reason: 'changed' });
    expect(await tourOf(id)).toMatchObject({
      status: 'proposed',
      starts_at: new Date('2026-11-23T03:00:00Z'),
      in_calendars: false,
    });
    expect(await timesOf()).toContain(NOON);
    expect((await mailsTo(buyer)).at(-1)).toMatchObject({ calendar_method: 'CANCEL' });
    expect((await mailsTo(buyer)).at(-1)?.text_body).toContain('The roofer comes.');
    expect((await mailsTo(seller)).at(-1)).toMatchObject({ calendar_method: 'CANCEL' });
    expect((await ownTours(as(buyer), { side: 'buyer' })).open).toMatchObject([
      { actions: ['confirm', 'cancel'], answer: 'The roofer comes.' },
    ]);
    expect(await confirmTour(as(seller), { tourId: id, sequence: 2 })).toEqual({
      ok: false,
      reason: 'impossible',
    });
    expect(await confirmTour(as(buyer), { tourId: id, sequence: 2 })).toEqual({ ok: true });
    expect((await mailsTo(seller)).at(-1)?.calendar_file).toContain('SEQUENCE:3\r\n');
    expect((await bellOf(seller)).at(-1)).toBe('Tour confirmed: 48 Larkspur Lane, Sun, Nov 22, 7:00 PM PST');

    const second = await asked(NOON, { by: other });
    const clash = { tourId: second, sequence: 0, day: '2026-11-22', minutes: 19 * 60 };
    await expect(proposeTour(as(seller), clash)).resolves.toEqual({ ok: false, reason: 'busy' });
    expect(await tourOf(second)).toMatchObject({ status: 'requested', sequence: 0 });
  });

  it('can be declined, and cancelled by either side, with a reason; only those of the party', async () => {
    const first = await asked(NOON);
    await expect(cancelTour(as(other), { tourId: first, sequence: 0 })).rejects.toThrow(NotFound);
    expect(await declineTour(as(buyer), { tourId: first, sequence: 0 })).toEqual({
      ok: false,
      reason: 'impossible',
    });
    const long = { tourId: first, sequence: 0, reason: 'x'.repeat(501) };
    await expect(declineTour(as(seller), long)).resolves.toEqual({ ok: false, reason: 'too_long' });
    const why = { tourId: first, sequence: 0, reason: 'The house is being painted.' };
    expect(await declineTour(as(seller), why)).toEqual({ ok: true });
    expect(await tourOf(first)).toMatchObject({ status: 'declined', ended_by: 'seller' });
    const declined = (await mailsTo(buyer)).at(-1);
    expect(declined).toMatchObject({ subject: 'Tour declined: 48 Larkspur Lane', calendar_method: null });
    expect(declined?.text_body).toContain('The house is being painted.');

    const second = await asked(NOON);
    await confirmTour(as(seller), { tourId: second, sequence: 0 });
    const readOnly = { ...seller, suspended: true };
    expect(await cancelTour(as(readOnly), { tourId: second, sequence: 1 })).toEqual({
      ok: false,
      reason: 'read_only',
    });
    expect(await cancelTour(as(buyer), { tourId: second, sequence: 1 })).toEqual({ ok: true });
    for (const person of [buyer, seller])
      expect((await mailsTo(person)).at(-1)).toMatchObject({
        subject: 'Tour cancelled: 48 Larkspur Lane',
        calendar_method: 'CANCEL',
      });
    expect(await bellOf(seller)).toContain('Tour cancelled: 48 Larkspur Lane, Sat, Nov 21, 12:00 PM PST');
    expect(await bellOf(buyer)).not.toContain('Tour cancelled: 48 Larkspur Lane, Sat, Nov 21, 12:00 PM PST');
    expect((await ownTours(as(buyer), { side: 'buyer' })).past).toHaveLength(2);
  });

  it('are changed at most twenty times a minute by one user', async () => {
    const tourId = await asked(NOON);
    const limited = testContext(db, { actor: seller, now: clock.now });
    const outdated = () => confirmTour(limited, { tourId, sequence: 7 });
    for (let use = 0; use < 20; use += 1) expect(await outdated()).toEqual({ ok: false, reason: 'changed' });
    await expect(outdated()).rejects.toThrow(TooManyRequests);
  });

  it('a reminder of the day before that comes after midnight says so', async () => {
    const early = await asked(NOON);
    await confirmTour(as(seller), { tourId: early, sequence: 0 });
    clock.advance(17 * HOUR);
    expect(await updateTours(system())).toMatchObject({ reminded: 1 });
    expect((await subjectsTo(buyer)).at(-1)).toBe('Your tour is today: 48 Larkspur Lane');
  });

  it('are reminded of the day before and two hours before, once each, and end', async () => {
    // 28 hours ahead, and 26.
    const early = await asked(NOON);
    await confirmTour(as(seller), { tourId: early, sequence: 0 });
    const unanswered = await asked('2026-11-21T18:00:00.000Z', { by: other });
    expect(await updateTours(system())).toEqual({ ended: 0, cancelled: 0, reminded: 0 });
    clock.advance(4 * HOUR);
    expect(await updateTours(system())).toMatchObject({ reminded: 1 });
    expect(await updateTours(system())).toMatchObject({ reminded: 0 });
    for (const person of [buyer, seller]) {
      expect((await subjectsTo(person)).at(-1)).toBe('Your tour is tomorrow: 48 Larkspur Lane');
      expect((await bellOf(person)).at(-1)).toMatch(/^Your tour is tomorrow/);
    }
    clock.advance(22 * HOUR);
    expect(await Promise.all([updateTours(system()), updateTours(system())])).toHaveLength(2);
    expect(await subjectsTo(other)).toEqual(['Tour not confirmed: 48 Larkspur Lane']);
    expect(await tourOf(unanswered)).toMatchObject({ status: 'lapsed' });
    for (const person of [buyer, seller])
      expect(
        (await subjectsTo(person)).filter((subject) => subject.startsWith('Your tour starts soon')),
      ).toEqual(['Your tour starts soon: 48 Larkspur Lane']);
    clock.advance(2 * HOUR + 29 * MINUTE);
    expect(await updateTours(system())).toMatchObject({ ended: 0 });
    expect((await ownTours(as(buyer), { side: 'buyer' })).open).toMatchObject([{ actions: [] }]);
    expect(await cancelTour(as(buyer), { tourId: early, sequence: 1 })).toEqual({
      ok: false,
      reason: 'impossible',
    });
    clock.advance(MINUTE);
    expect(await updateTours(system())).toMatchObject({ ended: 1 });
    expect(await tourOf(early)).toMatchObject({ status: 'done' });
    const ends = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'entity_id'])
      .where('action', 'in', ['tour.done', 'tour.lapse'])
      .where('entity_id', 'in', [early, unanswered])
      .orderBy('id')
      .execute();
    expect(ends).toEqual([
      { action: 'tour.lapse', entity_id: unanswered },
      { action: 'tour.done', entity_id: early },
    ]);
    await expect(updateTours(as(seller))).rejects.toThrow(Forbidden);

    // Confirmed an hour and a half before: both reminders would say what was just said.
    const late = await asked('2026-11-21T23:00:00.000Z');
    clock.advance(HOUR);
    await confirmTour(as(seller), { tourId: late, sequence: 0 });
    expect(await updateTours(system())).toMatchObject({ reminded: 0 });
  });

  it('are cancelled when the property is no longer for sale by the seller', async () => {
    const id = await asked(NOON);
    await confirmTour(as(seller), { tourId: id, sequence: 0 });
    await db
      .q()
      .updateTable('properties')
      .set({ status: 'withdrawn' })
      .where('id', '=', propertyId)
      .execute();
    expect(await confirmTour(as(seller), { tourId: id, sequence: 1 })).toMatchObject({ ok: false });
    expect(await updateTours(system())).toMatchObject({ cancelled: 1 });
    expect(await tourOf(id)).toMatchObject({ status: 'cancelled', ended_by: 'system' });
    for (const person of [buyer, seller]) {
      const mail = (await mailsTo(person)).at(-1);
      expect(mail).toMatchObject({ calendar_method: 'CANCEL' });
      expect(mail?.text_body).toContain('The property is no longer for sale by this seller.');
    }
  });

  it('end with the account of their buyer, whose seller is notified; nothing of them is kept', async () => {
    const email = `leaving-${keys++}@example.test`;
    await createAccount(db, email);
    const { ctx } = await contextForCookie(db, await signInCookie(db, email));
    if (ctx.actor.kind !== 'user') throw new Error('not signed in');
    const leaving = ctx.actor;
    const id = await asked(NOON, { by: leaving });
    await confirmTour(as(seller), { tourId: id, sequence: 0 });
    await db.q().updateTable('mail_outbox').set({ status: 'sent' }).execute();
    expect(await closeAccount({ ...ctx, config }, { password: PASSWORD })).toMatchObject({ ok: true });
    expect(await db.q().selectFrom('tours').select('id').where('id', '=', id).execute()).toEqual([]);
    expect((await mailsTo(seller)).at(-1)).toMatchObject({
      subject: 'Tour cancelled: 48 Larkspur Lane',
      calendar_method: 'CANCEL',
    });
    const kept = await db.q().selectFrom('mail_outbox').select('calendar_file').execute();
    expect(JSON.stringify(kept)).not.toContain(email);
  });

  it('are at most ten open ones of a buyer', async () => {
    const times = await timesOf();
    for (let at = 0; at < 10; at += 1)
      await asked(times[at] ?? '', { id: await createListing(db, seller.agentId) });
    const eleventh = await createListing(db, seller.agentId);
    expect(await ask(times[10] ?? '', { id: eleventh })).toEqual({ ok: false, reason: 'too_many' });
    // Those whose time has passed count no longer, also before the job has ended them.
    clock.advance(DAY);
    expect((await ask((await timesOf(eleventh))[5] ?? '', { id: eleventh })).ok).toBe(true);
  });
});
