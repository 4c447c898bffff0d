import { sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import { statusLabel } from '#features/listings/display.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { MINUTE } from '#platform/durations.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { chargeFees, createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { markAllNotificationsRead } from './commands/mark-all-notifications-read.ts';
import { markNotificationRead } from './commands/mark-notification-read.ts';
import { rememberTimeZone } from './commands/remember-time-zone.ts';
import { savePreferences } from './commands/save-preferences.ts';
import { sendUpdateMails } from './commands/send-update-mails.ts';
import { unsubscribe } from './commands/unsubscribe.ts';
import { unsubscribeLink } from './mails.ts';
import { notificationList, notificationPreferences, topicOfToken, unreadNotifications } from './reads.ts';
import { priceDirection } from './rules.ts';

it.each([
  ['$742,000', '$699,000.50', 'down'],
  ['$9', '$10', 'up'],
  ['Active', 'Sold', null],
  [null, '$10', null],
])('from %s to %s a price went %s', (before, after, direction) => {
  expect(priceDirection(before, after)).toBe(direction);
});

await describeOnEachDatabase('notifications', (open) => {
  let db: Database;
  let clock: TestClock;
  let seller: UserActor;
  let watcher: UserActor;
  let other: UserActor;
  let listingId: string;
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const system = () => testContext(db, { actor: { kind: 'system', name: 'jobs' }, now: clock.now });
  const change = (values: Updateable<DB['properties']>, by: UserActor = seller, id = listingId) =>
    db.tx(async () => {
      await setAuditActor(as(by));
      await db.q().updateTable('properties').set(values).where('id', '=', id).execute();
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
      createUser(db, 'agent'),
      createUser(db, 'buyer'),
      createUser(db, 'buyer'),
    ]);
    listingId = await createListing(db, seller.agentId);
    await setWatch(as(watcher), { propertyId: listingId, watched: true });
  });
  afterAll(() => db.close());

  it('notifies each watcher of a new price with fees, as pages show it, with its direction', async () => {
    await change({ price_cents: 699_500_00 });
    expect(await list()).toMatchObject([
      {
        type: 'price_change',
        direction: 'down',
        propertyId: listingId,
        address: '48 Larkspur Lane',
        canOpen: true,
        message: 'The price of 48 Larkspur Lane went down',
        previousValue: '$753,625',
        newValue: '$710,488',
        priceLabel: 'Total price',
        isRead: false,
        at: clock.now().toISOString(),
      },
    ]);
    expect(await events()).toEqual(['notification.new']);
    expect(await list(other)).toEqual([]);
    expect(await list(seller)).toEqual([]);
    expect(await events(other)).toEqual([]);
  });

  it('tells cents where the dollars stay the same, and what was told without fees under that name', async () => {
    await change({ price_cents: 742_000_10 });
    expect(await list()).toMatchObject([
      { previousValue: '$753,625', newValue: '$753,625.10', direction: 'up', priceLabel: 'Total price' },
    ]);
    const old = {
      user_id: watcher.id,
      property_id: listingId,
      notification_type: 'price_change',
      message: 'Old',
      previous_value: '$700,000',
      new_value: '$742,000',
      created_at: new Date(0),
    } as const;
    await db.q().insertInto('property_notifications').values(old).execute();
    expect((await list()).at(-1)).toMatchObject({ newValue: '$742,000', priceLabel: 'Base price' });
  });

  it('notifies watchers of a new status by its label', async () => {
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
    // Moderation decisions are not disclosed to watchers.
    for (const { status, words } of shown.rows)
      expect(words).toBe(
        ['rejected', 'changes_requested'].includes(status)
          ? 'Unavailable'
          : statusLabel[status as keyof typeof statusLabel],
      );
  });

  it('creates two notifications for price and status changed together, and none for other changes', async () => {
    await change({ price_cents: 1_000_000_00, status: 'escrow' });
    await change({ description: 'New words.' });
    expect((await list()).map(({ type }) => type).sort()).toEqual(['price_change', 'status_change']);
  });

  it('combines changes within ten minutes, with the first and the last value', async () => {
    await change({ price_cents: 700_000_00 });
    const [first] = await list();
    clock.advance(6 * MINUTE);
    await change({ price_cents: 800_000_00 });
    expect(await list()).toMatchObject([
      {
        id: first?.id,
        previousValue: '$753,625',
        newValue: '$812,495',
        message: 'The price of 48 Larkspur Lane went up',
        at: clock.now().toISOString(),
      },
    ]);
    // Ten minutes after the first change, not the last.
    clock.advance(5 * MINUTE);
    await change({ price_cents: 750_000_00 });
    expect(await list()).toHaveLength(2);
    expect(await events()).toEqual(Array.from({ length: 3 }, () => 'notification.new'));
  });

  it('does not overwrite a read notification, and removes one whose value was reverted', async () => {
    await change({ price_cents: 700_000_00 });
    const [first] = await list();
    await markNotificationRead(as(watcher), { id: first?.id ?? '' });
    await change({ price_cents: 690_000_00 });
    expect(await list()).toHaveLength(2);
    await change({ price_cents: 700_000_00 });
    expect((await list()).map(({ id }) => id)).toEqual([first?.id]);
    expect((await events()).at(-1)).toBe('notification.gone');
  });

  it('does not notify the watcher who made the change', async () => {
    await setWatch(as(seller), { propertyId: listingId, watched: true });
    await change({ price_cents: 700_000_00 });
    expect(await list(seller)).toEqual([]);
    expect(await events(seller)).toEqual([]);
    await change({ price_cents: 710_000_00 }, other);
    expect(await list(seller)).toHaveLength(1);
    expect(await withdrawListing(as(seller), { propertyId: listingId })).toEqual({ ok: true });
    expect(await list(seller)).toHaveLength(1);
  });

  it('sends nothing while a listing is not public, its new price when it returns, and nothing of a change that is rolled back', async () => {
    await change({ status: 'pending' });
    await markAllNotificationsRead(as(watcher));
    await change({ price_cents: 1_00 });
    await change({ status: 'rejected' });
    expect(await list()).toMatchObject([{ newValue: 'Pending', canOpen: false }]);
    await change({ status: 'Active' });
    const failing = db.tx(async () => {
      await db.q().updateTable('properties').set({ price_cents: 5_00 }).where('id', '=', listingId).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    // The return is one change: its two notifications have one time.
    expect((await list()).map(({ type }) => type).toSorted()).toEqual([
      'price_change',
      'status_change',
      'status_change',
    ]);
  });

  it('notifies watchers of each status a sale reaches, except its buyer', async () => {
    const scenario = await createSaleScenario(db);
    clock = scenario.clock;
    const sold = await scenario.createListing();
    for (const person of [watcher, scenario.buyer])
      await setWatch(as(person), { propertyId: sold, watched: true });
    const { saleId, ref } = await scenario.checkout(scenario.buyer, sold);
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.settle();
    expect((await list()).map(({ newValue }) => newValue)).toEqual(['In Escrow']);
    expect(await list(scenario.buyer)).toEqual([]);
    clock.advance(11 * MINUTE);
    expect(await scenario.act(scenario.seller, saleId, 'deliver_documents')).toEqual({ ok: true });
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    expect((await list()).map(({ newValue }) => newValue)).toEqual(['Sold', 'In Escrow']);
    expect(await list(scenario.buyer)).toEqual([]);
  });

  describe('are marked as read', () => {
    it('one by one or all at once, only by their owner', async () => {
      await setWatch(as(other), { propertyId: listingId, watched: true });
      await change({ price_cents: 700_000_00, status: 'escrow' });
      const [first, second] = await list();
      await expect(markNotificationRead(as(other), { id: first?.id ?? '' })).rejects.toThrow('Not found');
      await expect(markNotificationRead(as(watcher), { id: 'nonsense' })).rejects.toThrow('Not found');
      await markNotificationRead(as(watcher), { id: first?.id ?? '' });
      await markNotificationRead(as(watcher), { id: first?.id ?? '' });
      expect(await unreadNotifications(as(watcher))).toBe(1);
      expect(await markAllNotificationsRead(as(watcher))).toBe(1);
      expect(await markAllNotificationsRead(as(watcher))).toBe(0);
      expect((await list()).map(({ isRead }) => isRead)).toEqual([true, true]);
      expect(second?.isRead).toBe(false);
      expect(await unreadNotifications(as(other))).toBe(2);
      expect((await events()).filter((type) => type === 'notification.read')).toHaveLength(2);
    });

    it('while pages have no gap and need no query per row', async () => {
      await db
        .q()
        .insertInto('property_notifications')
        .values(
          Array.from({ length: 70 }, (_, n) => ({
            user_id: watcher.id,
            property_id: listingId,
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
      // The last two are no days, which would be an error of the database.
      for (const key of [
        '2026~1',
        `2026-02-30T00:00:00.000000Z~${listingId}`,
        `0000-01-01T00:00:00.000000Z~${listingId}`,
      ])
        await expect(notificationList(as(watcher), { before: key })).rejects.toThrow('Bad request');
    });
  });

  describe('are mailed', () => {
    it('once they have settled, at most one mail per user, without those already read', async () => {
      const second = await createListing(db, seller.agentId, { address: '7 Orchard Road' });
      for (const person of [watcher, other]) {
        await setWatch(as(person), { propertyId: listingId, watched: true });
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
      expect(mail?.subject).toBe('2 updates to properties you watch');
      expect(mail?.text_body).toContain('Total price: $753,625 → $721,145');
      expect(mail?.text_body).toContain('7 Orchard Road is now In Escrow\nActive → In Escrow');
      expect(mail?.unsubscribe_url).toContain('/unsubscribe?token=');
      // A change after the reading is a new notification with its own settling time.
      clock.advance(20 * MINUTE);
      expect(await sendUpdateMails(system())).toBe(1);
      expect(await mails(other)).toMatchObject([{ subject: 'The price of 48 Larkspur Lane went up' }]);
      expect(await mails()).toHaveLength(1);
    });

    it('to sellers and administrators with links to pages of their own', async () => {
      const [colleague, admin] = [await createUser(db, 'agent'), await createUser(db, 'admin')];
      const second = await createListing(db, seller.agentId);
      for (const person of [colleague, admin])
        for (const propertyId of [listingId, second])
          await setWatch(as(person), { propertyId, watched: true });
      await change({ price_cents: 700_000_00 });
      await change({ price_cents: 700_000_00 }, seller, second);
      clock.advance(11 * MINUTE);
      await sendUpdateMails(system());
      expect((await mails(colleague))[0]?.text_body).toContain('/agent/activity?tab=notifications');
      expect((await mails(admin))[0]?.text_body).toContain('/admin/activity?tab=notifications');
    });

    it('to nobody who has unsubscribed', async () => {
      const link = new URL(unsubscribeLink(as(watcher), watcher.id, 'property_updates').url);
      const token = link.searchParams.get('token') ?? '';
      const visitor = testContext(db, { now: clock.now });
      expect(topicOfToken(visitor, token)).toBe('property_updates');
      expect(await unsubscribe(visitor, { token })).toEqual({ ok: true, topic: 'property_updates' });
      for (const forged of [
        '',
        token.slice(0, -2),
        token.replace('property_updates', 'messages'),
        `${token}.`,
      ])
        expect(await unsubscribe(visitor, { token: forged })).toEqual({ ok: false });
      const audited = await db
        .q()
        .selectFrom('audit_log')
        .select(['action', 'after'])
        .where('entity_id', '=', watcher.id)
        .execute();
      expect(audited).toEqual([{ action: 'preferences.unsubscribe', after: { topic: 'property_updates' } }]);
      await change({ price_cents: 700_000_00 });
      clock.advance(11 * MINUTE);
      expect(await sendUpdateMails(system())).toBe(0);
      expect(await list()).toHaveLength(1);
      expect(await mails()).toEqual([]);
    });
  });

  it('stores preferences per user, with defaults until then', async () => {
    const chosen = {
      mailPropertyUpdates: true,
      mailMessages: false,
      mailSavedSearches: true,
      digestHour: 23,
      timeZone: 'Europe/Berlin',
    };
    await expect(savePreferences(as(watcher), { ...chosen, digestHour: 24 })).resolves.toEqual({
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
      timeZone: 'America/New_York',
    });
    expect(await savePreferences(as(watcher), { ...chosen, timeZone: 'Mars/Olympus' })).toEqual({
      ok: false,
      reason: 'zone',
    });
  });

  it('remembers the zone of the browser until another one is chosen', async () => {
    const zone = async () => (await notificationPreferences(as(other))).timeZone;
    expect(await rememberTimeZone(as(other), { timeZone: 'America/Denver' })).toBe(true);
    expect(await zone()).toBe('America/Denver');
    for (const nonsense of ['', 'Mars/Olympus'])
      expect(await rememberTimeZone(as(other), { timeZone: nonsense })).toBe(false);
    expect(await zone()).toBe('America/Denver');
    const preferences = await notificationPreferences(as(other));
    await savePreferences(as(other), { ...preferences, timeZone: 'Asia/Tokyo' });
    await rememberTimeZone(as(other), { timeZone: 'America/Denver' });
    expect(await zone()).toBe('Asia/Tokyo');
  });
});
