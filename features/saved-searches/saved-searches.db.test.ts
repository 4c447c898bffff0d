import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { startJobs } from '#platform/jobs/jobs.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { mailbox } from '#tests/support/fixtures/accounts.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { changeSavedSearch } from './commands/change-saved-search.ts';
import { deleteSavedSearch } from './commands/delete-saved-search.ts';
import { mailMatches } from './commands/mail-matches.ts';
import { markAllMatchesSeen } from './commands/mark-all-matches-seen.ts';
import { markMatchesSeen } from './commands/mark-matches-seen.ts';
import { matchListing } from './commands/match-listing.ts';
import { notifyOfNewListings } from './commands/notify-of-new-listings.ts';
import { saveSearch } from './commands/save-search.ts';
import { enqueueOnNewListings, savedSearchJobs } from './jobs.ts';
import { MAX_SAVED_SEARCHES } from './model.ts';
import { newMatchCount, savedSearches } from './reads.ts';

await describeOnDatabase('saved searches', (open) => {
  let db: Database;
  let seller: UserActor;
  let clock: TestClock;
  let jobs: Ctx;
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    clock = testClock('2026-11-20T12:00:00Z');
    jobs = testContext(db, { actor: { kind: 'system', name: 'test' }, now: clock.now });
  });
  afterAll(() => db.close());

  let wordCount = 0;
  /** A buyer with one saved search for a unique word. */
  async function createBuyerWithSearch(cadence: 'instant' | 'daily') {
    wordCount += 1;
    // With digits, so that the search does not treat one as a misspelling of another.
    const word = `wanted${100 + wordCount}`;
    const buyer = await createUser(db, 'buyer');
    const ctx = testContext(db, { actor: buyer, now: clock.now });
    const saved = await saveSearch(ctx, { name: `My ${word}`, cadence, query: `q=${word}` });
    if (!saved.ok) throw new Error(saved.reason);
    return { buyer, ctx, word, id: saved.id };
  }
  const publishListing = (word: string, facts = {}) =>
    createListing(db, seller.agentId, {
      description: `A house ${word}.`,
      address: '7 Juniper Rise',
      ...facts,
    });
  const subjects = async ({ email }: UserActor) => (await mailbox(db, email)).map(({ subject }) => subject);

  it('stores criteria as a description and a query, without duplicates, at most fifty', async () => {
    const buyer = await createUser(db, 'buyer');
    const ctx = testContext(db, { actor: buyer, config: { ...jobs.config, relaxedLimits: true } });
    const query =
      'q=Cedar++Hollow&type=single-family&min=200000&max=400000&beds=3&baths=1&bbox=40,-75,41,-74&sort=largest&page=3';
    const first = await saveSearch(ctx, { name: ' Hollow ', cadence: 'daily', query });
    expect(first).toMatchObject({ ok: true, already: false });
    const again = await saveSearch(ctx, {
      name: 'Other',
      cadence: 'instant',
      query: query.replace('Cedar++Hollow', 'hollow cedar'),
    });
    expect(again).toEqual({ ...first, already: true });
    expect(await savedSearches(ctx)).toEqual([
      {
        id: first.ok && first.id,
        name: 'Hollow',
        cadence: 'daily',
        description:
          'Single Family · “cedar hollow” · $200,000 to $400,000 · 3+ bedrooms · 1+ bathroom · in this part of the map',
        query: {
          type: 'single-family',
          q: 'cedar hollow',
          min: 200_000,
          max: 400_000,
          beds: 3,
          baths: 1,
          bbox: '40,-75,41,-74',
        },
        newCount: 0,
        matches: [],
      },
    ]);
    const inputs = Array.from({ length: MAX_SAVED_SEARCHES }, (_, at) => ({
      name: 'n',
      cadence: 'daily',
      query: `beds=1&min=${at + 1}`,
    }));
    const answers = await Promise.all(inputs.map((input) => saveSearch(ctx, input)));
    expect(answers.filter((answer) => !answer.ok)).toEqual([{ ok: false, reason: 'too_many' }]);
    expect(await savedSearches(ctx)).toHaveLength(MAX_SAVED_SEARCHES);
  });

  it('rejects a search without a name, a cadence or a searchable word', async () => {
    const ctx = testContext(db, { actor: await createUser(db, 'buyer') });
    expect(await saveSearch(ctx, { name: '  ', cadence: 'hourly', query: '' })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { name: 'Name is required', cadence: 'Choose when to be notified' },
    });
    await expect(saveSearch(ctx, { name: 'Junk', cadence: 'daily', query: 'q=%21%21' })).resolves.toEqual({
      ok: false,
      reason: 'finds_nothing',
    });
    expect(
      await saveSearch(ctx, { name: 'All', cadence: 'daily', query: 'type=castle&min=x' }),
    ).toMatchObject({ ok: true });
    expect(await savedSearches(ctx)).toMatchObject([
      { name: 'All', description: 'All properties', query: {} },
    ]);
  });

  it('stores a drawn area once, and refuses one that cannot be read', async () => {
    const ctx = testContext(db, { actor: await createUser(db, 'buyer') });
    const area = '40_-75_41_-75_40.5_-74';
    const save = (query: string) => saveSearch(ctx, { name: 'Area', cadence: 'daily', query });
    const first = await save(`area=${area}`);
    expect(first).toMatchObject({ ok: true, already: false });
    expect(await save(`area=${area}&sort=largest`)).toEqual({ ...first, already: true });
    expect(await save(`area=40_-75_41_-75_40.5_-74.1`)).toMatchObject({ ok: true, already: false });
    const kept = await savedSearches(ctx);
    expect(kept.map(({ description }) => description)).toEqual(['in your drawn area', 'in your drawn area']);
    expect(kept.map(({ query }) => query.area).toSorted()).toEqual([area, '40_-75_41_-75_40.5_-74.1']);
    expect(kept.map(({ query }) => query.bbox)).toEqual([undefined, undefined]);
    expect(await save('area=40_-75_41_-75')).toEqual({
      ok: false,
      reason: 'bad_area',
      problem: 'A drawn area needs at least 3 corners.',
    });
    await save(`area=${area}&bbox=40,-75,40.5,-74`);
    expect((await savedSearches(ctx)).map(({ query }) => query.bbox).toSorted()).toEqual([
      '40,-75,40.5,-74',
      undefined,
      undefined,
    ]);
  });

  it('stores a misspelt word as corrected', async () => {
    await publishListing('', { city: 'Brambleford' });
    const ctx = testContext(db, { actor: await createUser(db, 'buyer') });
    await saveSearch(ctx, { name: 'Town', cadence: 'daily', query: 'q=bramblefrod' });
    expect(await savedSearches(ctx)).toMatchObject([{ query: { q: 'brambleford' } }]);
  });

  it('records a new arrival when a listing becomes public, and on no other change', async () => {
    const { word } = await createBuyerWithSearch('daily');
    const arrivals = () => db.q().selectFrom('listing_arrivals').select('property_id').execute();
    await db.q().deleteFrom('listing_arrivals').execute();
    const id = await publishListing(word, { status: 'pending' });
    const set = (values: object) =>
      db.q().updateTable('properties').set(values).where('id', '=', id).execute();
    expect(await arrivals()).toEqual([]);
    await set({ status: 'Active' });
    expect(await arrivals()).toEqual([{ property_id: id }]);
    await db.q().deleteFrom('listing_arrivals').execute();
    await set({ price_cents: 1_000_00, description: 'changed' });
    await set({ status: 'escrow' });
    expect(await arrivals()).toEqual([]);
    await set({ status: 'Active' });
    expect(await arrivals()).toEqual([{ property_id: id }]);
    const gone = await publishListing(word);
    await expect(
      db.tx(async () => {
        await publishListing(word);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect((await arrivals()).map((row) => row.property_id).sort()).toEqual([id, gone].sort());
    expect(await notifyOfNewListings(jobs)).toBe(2);
    expect(await notifyOfNewListings(jobs)).toBe(0);
  });

  it('matches a listing once: in the list, as a live event, and in one instant mail', async () => {
    const { buyer, ctx, word, id } = await createBuyerWithSearch('instant');
    await saveSearch(ctx, { name: 'Wider', cadence: 'daily', query: `q=${word.slice(0, -1)}` });
    const stranger = testContext(db, { actor: await createUser(db, 'buyer'), now: clock.now });
    await saveSearch(stranger, { name: 'Of a stranger', cadence: 'instant', query: `q=${word}` });
    const listingId = await publishListing(word);
    expect(await newMatchCount(ctx)).toBe(0);
    expect(await matchListing(jobs, { propertyId: listingId })).toBeGreaterThanOrEqual(2);
    expect(await matchListing(jobs, { propertyId: listingId })).toBe(0);
    expect(await newMatchCount(ctx)).toBe(1);
    const own = (await savedSearches(ctx)).find((search) => search.id === id);
    expect(own).toMatchObject({
      newCount: 1,
      matches: [
        {
          propertyId: listingId,
          address: '7 Juniper Rise',
          town: 'Cedar Hollow, OR 97031',
          totalCents: 74_200_000,
          isNew: true,
        },
      ],
    });
    const events = await db
      .q()
      .selectFrom('live_events')
      .select(['type', 'payload'])
      .where('audience', '=', `user:${buyer.id}`)
      .execute();
    expect(events).toEqual([
      { type: 'saved-search.match', payload: { property: listingId, address: '7 Juniper Rise' } },
    ]);

    await Promise.all([1, 2, 3].map(() => mailMatches(jobs, { cadence: 'instant' })));
    expect(await subjects(buyer)).toEqual(['New property: 7 Juniper Rise']);
    const [mail] = await mailbox(db, buyer.email);
    expect(mail?.text).toContain('$742,000 · Single Family · 4 bd · 3 ba · 2,840 sqft');
    expect(mail?.text).toMatch(new RegExp(`because you saved .*“My ${word}”`));
    expect(mail?.text).not.toContain('Of a stranger');
    const { unsubscribe_url } = await db
      .q()
      .selectFrom('mail_outbox')
      .select('unsubscribe_url')
      .where('to_address', '=', buyer.email)
      .executeTakeFirstOrThrow();
    expect(unsubscribe_url).toMatch(/\/unsubscribe\?token=/);
    expect(mail?.text).toContain(unsubscribe_url ?? '?');

    // The daily search matches the same listing, which was already mailed. Nor is it mailed again when it is relisted.
    clock.advance(DAY);
    await mailMatches(jobs, { cadence: 'daily' });
    await db.q().updateTable('properties').set({ status: 'escrow' }).where('id', '=', listingId).execute();
    await db.q().updateTable('properties').set({ status: 'Active' }).where('id', '=', listingId).execute();
    await matchListing(jobs, { propertyId: listingId });
    await mailMatches(jobs, { cadence: 'instant' });
    expect(await subjects(buyer)).toHaveLength(1);

    expect(await markMatchesSeen(ctx, { id })).toEqual({ ok: true, count: 1 });
    expect(await markMatchesSeen(ctx, { id })).toEqual({ ok: true, count: 0 });
    expect((await savedSearches(ctx)).find((search) => search.id === id)).toMatchObject({
      newCount: 0,
      matches: [{ isNew: false }],
    });
  });

  it('marks the matches of all searches of one user as seen', async () => {
    const { buyer, ctx, word } = await createBuyerWithSearch('instant');
    const other = await createBuyerWithSearch('instant');
    await saveSearch(ctx, { name: 'Again', cadence: 'instant', query: `q=${word}&beds=1` });
    await matchListing(jobs, { propertyId: await publishListing(`${word} ${other.word}`) });
    expect(await markAllMatchesSeen(ctx)).toBe(2);
    expect(await markAllMatchesSeen(ctx)).toBe(0);
    expect([await newMatchCount(ctx), await newMatchCount(other.ctx)]).toEqual([0, 1]);
    const told = await db
      .q()
      .selectFrom('live_events')
      .select('type')
      .where('audience', '=', `user:${buyer.id}`)
      .execute();
    expect(told.map(({ type }) => type)).toEqual(['saved-search.match', 'saved-search.seen']);
  });

  it('collects the matches of daily searches until the digest hour', async () => {
    const { buyer, ctx, word } = await createBuyerWithSearch('daily');
    await db
      .q()
      .insertInto('notification_preferences')
      .values({ user_id: buyer.id, digest_hour: 6, time_zone: 'UTC' })
      .execute();
    for (const address of ['1 Early Lane', '2 Early Lane']) {
      await matchListing(jobs, { propertyId: await publishListing(word, { address }) });
      clock.advance(HOUR);
    }
    const sold = await publishListing(word, { address: '3 Sold Lane' });
    await matchListing(jobs, { propertyId: sold });
    await db.q().updateTable('properties').set({ status: 'Sold' }).where('id', '=', sold).execute();
    const until = (hour: number) => {
      while (clock.now().getUTCHours() !== hour) clock.advance(HOUR);
    };
    until(5);
    await mailMatches(jobs, { cadence: 'daily' });
    expect(await subjects(buyer)).toEqual([]);
    until(6);
    await matchListing(jobs, { propertyId: await publishListing(word, { address: '4 Late Lane' }) });
    clock.advance(MINUTE);
    await Promise.all([1, 2].map(() => mailMatches(jobs, { cadence: 'daily' })));
    await mailMatches(jobs, { cadence: 'instant' });
    expect(await subjects(buyer)).toEqual(['2 new properties for your saved searches']);
    const [mail] = await mailbox(db, buyer.email);
    expect(mail?.text).toContain('1 Early Lane');
    expect(mail?.text).not.toMatch(/Sold Lane|Late Lane/);
    clock.advance(DAY);
    await mailMatches(jobs, { cadence: 'daily' });
    expect(await subjects(buyer)).toEqual([
      '2 new properties for your saved searches',
      'New property: 4 Late Lane',
    ]);
    expect(await savedSearches(ctx)).toMatchObject([{ newCount: 4 }]);
  });

  it('mails neither users who opted out, not even later, nor closed accounts', async () => {
    const off = await createBuyerWithSearch('instant');
    const closed = await createBuyerWithSearch('instant');
    await db
      .q()
      .insertInto('notification_preferences')
      .values({ user_id: off.buyer.id, mail_saved_searches: false })
      .execute();
    await db
      .q()
      .updateTable('users')
      .set({ closed_at: clock.now() })
      .where('id', '=', closed.buyer.id)
      .execute();
    await matchListing(jobs, { propertyId: await publishListing(`${off.word} ${closed.word}`) });
    await mailMatches(jobs, { cadence: 'instant' });
    await db
      .q()
      .updateTable('notification_preferences')
      .set({ mail_saved_searches: true })
      .where('user_id', '=', off.buyer.id)
      .execute();
    await mailMatches(jobs, { cadence: 'instant' });
    expect([await subjects(off.buyer), await subjects(closed.buyer)]).toEqual([[], []]);
    expect(await newMatchCount(off.ctx)).toBe(1);
  });

  it('can be renamed, rescheduled and deleted only by its owner', async () => {
    const { buyer, ctx, word, id } = await createBuyerWithSearch('daily');
    const other = testContext(db, { actor: await createUser(db, 'buyer') });
    await matchListing(jobs, { propertyId: await publishListing(word) });
    for (const wrong of [{ name: '' }, { name: 'x'.repeat(81) }, { cadence: 'never' }])
      expect(await changeSavedSearch(ctx, { id, ...wrong })).toMatchObject({ ok: false, reason: 'invalid' });
    expect(await changeSavedSearch(ctx, { id, name: 'Renamed' })).toEqual({ ok: true });
    expect(await changeSavedSearch(ctx, { id, cadence: 'instant' })).toEqual({ ok: true });
    expect(await savedSearches(ctx)).toMatchObject([{ name: 'Renamed', cadence: 'instant' }]);
    await mailMatches(jobs, { cadence: 'instant' });
    expect(await subjects(buyer)).toHaveLength(1);
    for (const refused of [
      () => changeSavedSearch(other, { id, name: 'Mine' }),
      () => markMatchesSeen(other, { id }),
      () => deleteSavedSearch(other, { id }),
      () => deleteSavedSearch(ctx, { id: 'nonsense' }),
    ])
      expect(await refused()).toEqual({ ok: false, reason: 'gone' });
    expect(await deleteSavedSearch(ctx, { id })).toEqual({ ok: true });
    expect(await savedSearches(ctx)).toEqual([]);
    expect(await newMatchCount(ctx)).toBe(0);
    // Also when it was deleted in another tab.
    for (const refused of [
      () => changeSavedSearch(ctx, { id, cadence: 'daily' }),
      () => markMatchesSeen(ctx, { id }),
      () => deleteSavedSearch(ctx, { id }),
    ])
      expect(await refused()).toEqual({ ok: false, reason: 'gone' });
  });

  it('matches a listing made public by any write, through the running jobs', async () => {
    const context = (requestId: string) =>
      testContext(db, { actor: { kind: 'system', name: 'jobs' }, requestId, now: () => new Date() });
    const running = await startJobs(context, savedSearchJobs, { cron: false, pollSeconds: 1 });
    try {
      await enqueueOnNewListings(context('arrivals'));
      const { buyer, word } = await createBuyerWithSearch('instant');
      const id = await publishListing(word, { status: 'pending', address: '9 Woken Way' });
      await db.pool.query(`update properties set status = 'Active' where id = $1`, [id]);
      await expect.poll(() => subjects(buyer), { timeout: 15_000 }).toEqual(['New property: 9 Woken Way']);
    } finally {
      await running.stop();
    }
  });
});
