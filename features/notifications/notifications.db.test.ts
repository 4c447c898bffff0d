import { sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { statusLabel } from '#features/listings/rules.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { nameWriter } from '#platform/writer.ts';
import { type TestClock, testClock, testContext } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { createListing } from '#tests/support/listings.ts';
import { createPerson } from '#tests/support/people.ts';
import { countQueries } from '#tests/support/query-count.ts';
import { chargeFees, saleBench } from '#tests/support/sale-bench.ts';
import { markAllNotificationsRead } from './commands/mark-all-notifications-read.ts';
import { markNotificationRead } from './commands/mark-notification-read.ts';
import { savePreferences } from './commands/save-preferences.ts';
import { sendUpdateMails } from './commands/send-update-mails.ts';
import { unsubscribe } from './commands/unsubscribe.ts';
import { leaveLink } from './leave-link.ts';
import { notificationList, notificationPreferences, topicOfToken, unreadNotifications } from './reads.ts';
import { directionOf } from './rules.ts';

const MINUTE = 60_000;

it.each([
  ['$742,000', '$699,000.50', 'down'],
  ['$9', '$10', 'up'],
  ['Active', 'Sold', null],
  [null, '$10', null],
])('from %s to %s a price went %s', (before, after, direction) => {
  expect(directionOf(before, after)).toBe(direction);
});

await describeOnEachDatabase('notifications', (open) => {
  let db: Database;
  let clock: TestClock;
  let seller: UserActor;
  let watcher: UserActor;
  let other: UserActor;
  let house: string;
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const system = () => testContext(db, { actor: { kind: 'system', name: 'jobs' }, now: clock.now });
  const change = (values: Updateable<DB['properties']>, by: UserActor = seller, id = house) =>
    db.tx(async (q) => {
      await nameWriter(as(by));
      await q.updateTable('properties').set(values).where('id', '=', id).execute();
    });
  const list = async (person = watcher) => (await notificationList(as(person))).rows;
  const events = async (person = watcher) =>
    (
      await db
        .q()
        .selectFrom('live_events')
        .select('type')
        .where('audience', '=', `user:${person.id}`)
        .orderBy('id')
        .execute()
    ).map(({ type }) => type);
  const mails = (person = watcher) =>
    db.q().selectFrom('mail_outbox').selectAll().where('to_address', '=', person.email).execute();
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    clock = testClock();
    await db.q().deleteFrom('property_notifications').execute();
    [seller, watcher, other] = await Promise.all([
      createPerson(db, 'agent'),
      createPerson(db, 'buyer'),
      createPerson(db, 'buyer'),
    ]);
    house = await createListing(db, seller.agentId);
    await setWatch(as(watcher), { propertyId: house, watched: true });
  });
  afterAll(() => db.close());

  it('a new price reaches each watcher, in words, with the change', async () => {
    await change({ price_cents: 699_500_00 });
    expect(await list()).toMatchObject([
      {
        type: 'price_change',
        direction: 'down',
        propertyId: house,
        address: '48 Larkspur Lane',
        canOpen: true,
        message: 'The price of 48 Larkspur Lane went down',
        previousValue: '$742,000',
        newValue: '$699,500',
        isRead: false,
        at: clock.now().toISOString(),
      },
    ]);
    expect(await events()).toEqual(['notification.new']);
    expect(await list(other)).toEqual([]);
    expect(await list(seller)).toEqual([]);
    expect(await events(other)).toEqual([]);
  });

  it('a new status reaches them in the words of the product', async () => {
    await change({ status: 'escrow' });
    clock.advance(11 * MINUTE);
    await change({ status: 'Sold' });
    expect(await list()).toMatchObject([
      {
        message: '48 Larkspur Lane is now Sold',
        previousValue: 'In Escrow',
        newValue: 'Sold',
        direction: null,
      },
      { message: '48 Larkspur Lane is now In Escrow', previousValue: 'Active', newValue: 'In Escrow' },
    ]);
    const shown = await sql<{ status: string; words: string }>`select status, status_words(status) as words
      from unnest(array['pending', 'Active', 'escrow', 'Sold', 'withdrawn', 'rejected', 'changes_requested']) status`.execute(
      db.q(),
    );
    // What administrators decide about a listing is nobody else's business.
    for (const { status, words } of shown.rows)
      expect(words).toBe(
        ['rejected', 'changes_requested'].includes(status)
          ? 'Unavailable'
          : statusLabel[status as keyof typeof statusLabel],
      );
  });

  it('price and status changed together are two; other changes are none', async () => {
    await change({ price_cents: 1_000_000_00, status: 'escrow' });
    await change({ description: 'New words.' });
    expect((await list()).map(({ type }) => type).sort()).toEqual(['price_change', 'status_change']);
  });

  it('changes within ten minutes are one, with the first value and the last', async () => {
    await change({ price_cents: 700_000_00 });
    const [first] = await list();
    clock.advance(6 * MINUTE);
    await change({ price_cents: 800_000_00 });
    expect(await list()).toMatchObject([
      {
        id: first?.id,
        previousValue: '$742,000',
        newValue: '$800,000',
        message: 'The price of 48 Larkspur Lane went up',
        at: clock.now().toISOString(),
      },
    ]);
    // Ten minutes from the first change on, not from the last.
    clock.advance(5 * MINUTE);
    await change({ price_cents: 750_000_00 });
    expect(await list()).toHaveLength(2);
    expect(await events()).toEqual(Array.from({ length: 3 }, () => 'notification.new'));
  });

  it('one that was read is not written over, and one whose value is back is gone', async () => {
    await change({ price_cents: 700_000_00 });
    const [first] = await list();
    await markNotificationRead(as(watcher), first?.id ?? '');
    await change({ price_cents: 690_000_00 });
    expect(await list()).toHaveLength(2);
    await change({ price_cents: 700_000_00 });
    expect((await list()).map(({ id }) => id)).toEqual([first?.id]);
    expect((await events()).at(-1)).toBe('notification.gone');
  });

  it('not whoever made the change, though they watch', async () => {
    await setWatch(as(seller), { propertyId: house, watched: true });
    await change({ price_cents: 700_000_00 });
    expect(await list(seller)).toEqual([]);
    expect(await events(seller)).toEqual([]);
    await change({ price_cents: 710_000_00 }, other);
    expect(await list(seller)).toHaveLength(1);
  });

  it('nobody hears of a listing that is not public, and nothing of a change that is rolled back', async () => {
    await change({ status: 'pending' });
    await markAllNotificationsRead(as(watcher));
    await change({ price_cents: 1_00 });
    await change({ status: 'rejected' });
    expect(await list()).toMatchObject([{ newValue: 'Pending', canOpen: false }]);
    await change({ status: 'Active' });
    const failing = db.tx(async (q) => {
      await q.updateTable('properties').set({ price_cents: 5_00 }).where('id', '=', house).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await list()).map(({ type }) => type)).toEqual(['status_change', 'status_change']);
  });

  it('a purchase tells the watchers of every status it brings about, but not whoever closes it', async () => {
    const bench = await saleBench(db);
    clock = bench.clock;
    const sold = await bench.house();
    for (const person of [watcher, bench.buyer])
      await setWatch(as(person), { propertyId: sold, watched: true });
    const { saleId, ref } = await bench.checkout(bench.buyer, sold);
    await bench.onPage(ref, 'pay');
    await bench.settle();
    expect((await list()).map(({ newValue }) => newValue)).toEqual(['In Escrow']);
    expect((await list(bench.buyer)).map(({ newValue }) => newValue)).toEqual(['In Escrow']);
    clock.advance(11 * MINUTE);
    expect(await bench.act(bench.seller, saleId, 'deliver_documents')).toEqual({ ok: true });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    expect((await list()).map(({ newValue }) => newValue)).toEqual(['Sold', 'In Escrow']);
    expect((await list(bench.buyer)).map(({ newValue }) => newValue)).toEqual(['In Escrow']);
  });

  describe('are read', () => {
    it('one by one or all at once, by their owner alone', async () => {
      await setWatch(as(other), { propertyId: house, watched: true });
      await change({ price_cents: 700_000_00, status: 'escrow' });
      const [first, second] = await list();
      await expect(markNotificationRead(as(other), first?.id ?? '')).rejects.toThrow('Not found');
      await expect(markNotificationRead(as(watcher), 'nonsense')).rejects.toThrow('Not found');
      await markNotificationRead(as(watcher), first?.id ?? '');
      await markNotificationRead(as(watcher), first?.id ?? '');
      expect(await unreadNotifications(as(watcher))).toBe(1);
      expect(await markAllNotificationsRead(as(watcher))).toBe(1);
      expect(await markAllNotificationsRead(as(watcher))).toBe(0);
      expect((await list()).map(({ isRead }) => isRead)).toEqual([true, true]);
      expect(second?.isRead).toBe(false);
      expect(await unreadNotifications(as(other))).toBe(2);
      expect((await events()).filter((type) => type === 'notification.read')).toHaveLength(2);
    });

    it('page by page without a gap, with no query for each row', async () => {
      await db
        .q()
        .insertInto('property_notifications')
        .values(
          Array.from({ length: 70 }, (_, n) => ({
            user_id: watcher.id,
            property_id: house,
            notification_type: 'price_change',
            message: `m${n}`,
            created_at: new Date(clock.now().getTime() - Math.floor(n / 3) * 1_000),
          })),
        )
        .execute();
      const seen: string[] = [];
      let before: string | null = null;
      do {
        const page = await notificationList(as(watcher), { before });
        expect(page.unread).toBe(70);
        seen.push(...page.rows.map(({ message }) => message));
        before = page.before;
      } while (before);
      expect(seen).toHaveLength(70);
      expect(new Set(seen).size).toBe(70);
      const count = (person: UserActor) =>
        countQueries(db, (counted) => notificationList({ ...as(person), db: counted }));
      expect(await count(watcher)).toBe(await count(other));
      await expect(notificationList(as(watcher), { before: '2026~1' })).rejects.toThrow('Bad request');
    });
  });

  describe('are mailed', () => {
    it('when they have settled, one mail a person at most, and not what was read', async () => {
      const second = await createListing(db, seller.agentId, { address: '7 Orchard Road' });
      for (const person of [watcher, other]) {
        await setWatch(as(person), { propertyId: house, watched: true });
        await setWatch(as(person), { propertyId: second, watched: true });
      }
      await change({ price_cents: 700_000_00 });
      await change({ status: 'escrow' }, seller, second);
      await markAllNotificationsRead(as(other));
      clock.advance(9 * MINUTE);
      await change({ price_cents: 710_000_00 });
      expect(await sendUpdateMails(system())).toBe(0);
      clock.advance(2 * MINUTE);
      const sent = await Promise.all([sendUpdateMails(system()), sendUpdateMails(system())]);
      expect(sent[0] + sent[1]).toBe(1);
      const [mail] = await mails();
      expect(mail?.subject).toBe('2 updates of properties you watch');
      expect(mail?.text_body).toContain('$742,000 → $710,000');
      expect(mail?.text_body).toContain('7 Orchard Road is now In Escrow\nActive → In Escrow');
      expect(mail?.unsubscribe_url).toContain('/unsubscribe?token=');
      // What came after the reading is news again, and settles by itself.
      clock.advance(20 * MINUTE);
      expect(await sendUpdateMails(system())).toBe(1);
      expect(await mails(other)).toMatchObject([{ subject: 'The price of 48 Larkspur Lane went up' }]);
      expect(await mails()).toHaveLength(1);
    });

    it('to nobody who does not want them', async () => {
      const link = new URL(leaveLink(as(watcher), watcher.id, 'property_updates').url);
      const token = link.searchParams.get('token') ?? '';
      const visitor = testContext(db, { now: clock.now });
      expect(topicOfToken(visitor, token)).toBe('property_updates');
      expect(await unsubscribe(visitor, token)).toEqual({ ok: true, topic: 'property_updates' });
      for (const forged of [
        '',
        token.slice(0, -2),
        token.replace('property_updates', 'messages'),
        `${token}.`,
      ])
        expect(await unsubscribe(visitor, forged)).toEqual({ ok: false });
      await change({ price_cents: 700_000_00 });
      clock.advance(11 * MINUTE);
      expect(await sendUpdateMails(system())).toBe(0);
      expect(await list()).toHaveLength(1);
      expect(await mails()).toEqual([]);
    });
  });

  it('preferences are one’s own, with the ordinary ones until then', async () => {
    const chosen = {
      mailPropertyUpdates: true,
      mailMessages: false,
      mailSavedSearches: true,
      digestHour: 23,
    };
    expect(await savePreferences(as(watcher), { ...chosen, digestHour: 24 })).toEqual({
      ok: false,
      reason: 'hour',
    });
    expect(await savePreferences(as(watcher), chosen)).toEqual({ ok: true });
    expect(await notificationPreferences(as(watcher))).toEqual(chosen);
    expect(await notificationPreferences(as(other))).toEqual({
      mailPropertyUpdates: true,
      mailMessages: true,
      mailSavedSearches: true,
      digestHour: 8,
    });
  });
});
