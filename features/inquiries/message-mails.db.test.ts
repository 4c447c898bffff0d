import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rememberTimeZone } from '#features/notifications/commands/remember-time-zone.ts';
import { savePreferences } from '#features/notifications/commands/save-preferences.ts';
import { unsubscribe } from '#features/notifications/commands/unsubscribe.ts';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { resolveRegistrationLink } from '#features/sellers/registration.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { markThreadRead } from './commands/mark-thread-read.ts';
import { replyInquiry } from './commands/reply-inquiry.ts';
import { sendDigests } from './commands/send-digests.ts';
import { sendInquiry } from './commands/send-inquiry.ts';
import { sendInquiryNotification } from './commands/send-inquiry-notification.ts';
import type { NotificationKind } from './model.ts';

await describeOnDatabase('mails about messages', (open) => {
  let db: Database;
  let clock: TestClock;
  let seller: UserActor;
  let buyer: UserActor;
  let inquiryId: string;
  let keys = 0;
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const system = () => testContext(db, { actor: { kind: 'system', name: 'jobs' }, now: clock.now });
  const inquire = async (actor: UserActor, message = 'Is it quiet?') => {
    clock.advance(1_000);
    const listingId = await createListing(db, seller.agentId, { address: `${++keys} Larkspur Lane` });
    const result = await sendInquiry(as(actor), { propertyId: listingId, message, key: 'first' });
    if (!result.ok) throw new Error('the inquiry was refused');
    return result.inquiryId;
  };
  const reply = async (actor: UserActor, message: string, inquiry = inquiryId) => {
    clock.advance(1_000);
    const key = `k${keys++}`;
    await replyInquiry(as(actor), { inquiryId: inquiry, message, key });
    await replyInquiry(as(actor), { inquiryId: inquiry, message, key });
  };
  const mailsTo = (person: UserActor) =>
    db
      .q()
      .selectFrom('mail_outbox')
      .selectAll()
      .where('to_address', '=', person.email)
      .orderBy('created_at')
      .execute();
  const subjects = async (person: UserActor) => (await mailsTo(person)).map(({ subject }) => subject);
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    clock = testClock();
    await db.q().deleteFrom('mail_outbox').execute();
    await db.q().deleteFrom('inquiry_messages').execute();
    await db.q().deleteFrom('notification_preferences').execute();
    [seller, buyer] = await Promise.all([createUser(db, 'agent'), createUser(db, 'buyer')]);
    inquiryId = await inquire(buyer);
  });
  afterAll(() => db.close());

  it('mails a new inquiry to the seller at once, with its text, a link to it and an unsubscribe link', async () => {
    const [mail] = await mailsTo(seller);
    expect(mail?.subject).toMatch(/^New inquiry about \d+ Larkspur Lane$/);
    expect(mail?.text_body).toContain('Is it quiet?');
    expect(mail?.text_body).toContain(`/agent/inquiries?inquiry=${inquiryId}`);
    expect(mail?.text_body.trimEnd()).toMatch(
      /Unsubscribe:\nhttp:\/\/localhost:3000\/unsubscribe\?token=\S+$/,
    );
    expect(await mailsTo(buyer)).toEqual([]);
  });

  it('mails the first unread reply at once, and later ones with the digest', async () => {
    await reply(seller, 'Very.');
    await reply(seller, 'And sunny.');
    await reply(seller, 'And dry.');
    expect(await subjects(buyer)).toEqual([expect.stringMatching(/^New message about/)]);
    // The seller has not opened the thread, so the buyer's next message waits as well.
    await reply(buyer, 'Thank you.');
    expect(await mailsTo(seller)).toHaveLength(1);
    expect(await sendDigests(system())).toBe(0);
    // It is 7:00 now where the readers are; digests are sent at 8:00 on the day after what they tell of.
    clock.advance(20 * HOUR);
    expect(await sendDigests(system())).toBe(2);
    expect(await sendDigests(system())).toBe(0);
    expect(await subjects(buyer)).toEqual([expect.anything(), 'You have 2 unread messages']);
    expect(await subjects(seller)).toEqual([expect.anything(), 'You have an unread message']);
    const [, digest] = await mailsTo(buyer);
    expect(digest?.text_body).toContain(`2 from ${seller.name}`);
    expect(digest?.text_body).not.toContain('sunny');
    expect(digest?.unsubscribe_url).toContain('/unsubscribe?token=');
  });

  it('mails a message whatever somebody else has chosen', async () => {
    await savePreferences(as(await createUser(db, 'buyer')), {
      mailPropertyUpdates: true,
      mailMessages: false,
      mailSavedSearches: true,
      digestHour: 8,
      timeZone: 'UTC',
    });
    await reply(seller, 'Very.');
    expect(await subjects(buyer)).toEqual([expect.stringMatching(/^New message about/)]);
  });

  it('leaves read messages out of the digest, and mails the next unread one at once again', async () => {
    await reply(seller, 'Very.');
    await reply(seller, 'And sunny.');
    await markThreadRead(as(buyer), { inquiryId });
    clock.advance(24 * HOUR);
    expect(await sendDigests(system())).toBe(0);
    await reply(seller, 'Still there?');
    expect(await mailsTo(buyer)).toHaveLength(2);
  });

  it('sends one digest of all conversations at the recipient’s hour, even if that hour was missed', async () => {
    await savePreferences(as(seller), {
      mailPropertyUpdates: true,
      mailMessages: true,
      mailSavedSearches: true,
      digestHour: 14,
      timeZone: 'UTC',
    });
    const other = await createUser(db, 'buyer');
    const second = await inquire(other);
    await reply(buyer, 'Hello?');
    await reply(other, 'Hello?', second);
    clock.advance(1.5 * HOUR);
    expect(await sendDigests(system())).toBe(0);
    clock.advance(7 * HOUR);
    expect(await sendDigests(system())).toBe(1);
    const digest = (await mailsTo(seller)).at(-1);
    expect(digest?.subject).toBe('You have 2 unread messages');
    expect(digest?.text_body).toContain(`1 from ${buyer.name}`);
    expect(digest?.text_body).toContain(`1 from ${other.name}`);
  });

  it('sends digests by the clock of the reader', async () => {
    await rememberTimeZone(as(buyer), { timeZone: 'Asia/Tokyo' });
    await reply(seller, 'Very.');
    await reply(seller, 'And sunny.');
    // 7:59 and 8:00 in Tokyo.
    clock.advance(11 * HOUR - MINUTE - 2_000);
    expect(await sendDigests(system())).toBe(0);
    clock.advance(MINUTE);
    expect(await sendDigests(system())).toBe(1);
    expect(await subjects(buyer)).toEqual([expect.anything(), 'You have an unread message']);
  });

  it('sends digests by a known clock where the database does not know the chosen one', async () => {
    await db
      .q()
      .updateTable('profiles')
      .set({ time_zone: 'Mars/Olympus' })
      .where('id', '=', buyer.id)
      .execute();
    await reply(seller, 'Very.');
    await reply(seller, 'And sunny.');
    clock.advance(HOUR);
    expect(await sendDigests(system())).toBe(1);
  });

  it('leads sellers and administrators who asked to their own pages', async () => {
    for (const [role, area] of [
      ['agent', '/agent/activity'],
      ['admin', '/admin/activity'],
    ] as const) {
      const asker = await createUser(db, role);
      const asked = await inquire(asker);
      await reply(seller, 'Very.', asked);
      await reply(seller, 'And dry.', asked);
      clock.advance(24 * HOUR);
      await sendDigests(system());
      const link = `${area}?tab=inquiries&inquiry=${asked}`;
      for (const mail of await mailsTo(asker)) expect(mail.text_body).toContain(link);
      expect(await mailsTo(asker)).toHaveLength(2);
    }
  });

  it('mails a seller without an account the first message of each conversation, with a link to register', async () => {
    const invited = await inviteSeller(system(), {
      name: 'Ines Calloway',
      email: `ines${keys}@example.test`,
    });
    if (!invited.ok) throw new Error(invited.reason);
    const address = `${++keys} Juniper Road`;
    const listing = await createListing(db, invited.sellerId, { address });
    const asked = await sendInquiry(as(buyer), { propertyId: listing, message: 'Is it dry?', key: 'a' });
    if (!asked.ok) throw new Error(asked.reason);
    await sendInquiry(as(buyer), { propertyId: listing, message: 'Is it dry?', key: 'a' });
    await reply(buyer, 'And warm?', asked.inquiryId);
    const mails = await db
      .q()
      .selectFrom('mail_outbox')
      .selectAll()
      .where('subject', '=', `New inquiry about ${address}`)
      .execute();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text_body).toContain('Is it dry?');
    const link = /http\S+\/agent\/register\?\S+/.exec(mails[0]?.text_body ?? '')?.[0] ?? '';
    const { searchParams } = new URL(link);
    const [id, token] = [searchParams.get('id'), searchParams.get('token')];
    expect(id).toBe(invited.sellerId);
    expect(await resolveRegistrationLink(system(), { id, token })).toMatchObject({
      state: 'ready',
      proven: true,
    });
    const audited = db.q().selectFrom('audit_log').select('action').where('entity_id', '=', invited.sellerId);
    expect(await audited.where('action', '=', 'seller.create_link').execute()).toHaveLength(1);
    // The link of the invitation works as well.
    expect(invited.link).not.toBe(link);
    const first = new URL(invited.link).searchParams.get('token');
    expect(await resolveRegistrationLink(system(), { id, token: first })).toMatchObject({ state: 'ready' });
    // What came later is in the first digest after the registration.
    const account = await createUser(db, 'buyer');
    await db
      .q()
      .updateTable('agents')
      .set({ user_id: account.id })
      .where('id', '=', invited.sellerId)
      .execute();
    clock.advance(24 * HOUR);
    await sendDigests(system());
    expect((await mailsTo(account)).map(({ subject }) => subject)).toEqual(['You have an unread message']);
  });

  describe('asked for by a call', () => {
    const call = (actor: UserActor, messageId: string, type: NotificationKind, inquiry = inquiryId) =>
      sendInquiryNotification(as(actor), { inquiryId: inquiry, messageId, type });
    const newest = async () =>
      (
        await db
          .q()
          .selectFrom('inquiry_messages')
          .select('id')
          .where('inquiry_id', '=', inquiryId)
          .orderBy('created_at', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow()
      ).id;

    it('are sent once for each message, however often that is', async () => {
      await call(buyer, inquiryId, 'new_inquiry');
      await reply(seller, 'Very.');
      const first = await newest();
      await Promise.all([1, 2, 3].map(() => call(seller, first, 'new_response')));
      await reply(seller, 'And sunny.');
      await call(seller, await newest(), 'new_response');
      expect([await mailsTo(seller), await mailsTo(buyer)]).toEqual([
        [expect.anything()],
        [expect.anything()],
      ]);
      clock.advance(24 * HOUR);
      expect(await sendDigests(system())).toBe(1);
      for (const id of [first, await newest()]) await call(seller, id, 'new_response');
      expect(await mailsTo(buyer)).toHaveLength(2);
      expect(await sendDigests(system())).toBe(0);
    });

    it('make up for what was not wanted then', async () => {
      const preferences = {
        mailPropertyUpdates: true,
        mailSavedSearches: true,
        digestHour: 8,
        timeZone: 'UTC',
      };
      await savePreferences(as(buyer), { ...preferences, mailMessages: false });
      await reply(seller, 'Very.');
      await call(seller, await newest(), 'new_response');
      expect(await mailsTo(buyer)).toEqual([]);
      await savePreferences(as(buyer), { ...preferences, mailMessages: true });
      await call(seller, await newest(), 'new_response');
      await call(seller, await newest(), 'new_response');
      expect(await subjects(buyer)).toEqual([expect.stringMatching(/^New message about/)]);
    });

    it('are refused for messages of others', async () => {
      await reply(seller, 'Very.');
      const id = await newest();
      await expect(call(buyer, id, 'new_response')).rejects.toThrow('Not found');
      await expect(call(seller, id, 'new_inquiry')).rejects.toThrow('Not found');
      await expect(call(seller, inquiryId, 'new_inquiry')).rejects.toThrow('Not found');
      await expect(call(buyer, 'none', 'new_response')).rejects.toThrow('Not found');
      const other = await createUser(db, 'buyer');
      await expect(call(other, inquiryId, 'new_inquiry')).rejects.toThrow('Not found');
      await expect(call(seller, id, 'new_response', await inquire(other))).rejects.toThrow('Not found');
    });
  });

  it('sends nothing after unsubscribing, not even what was waiting', async () => {
    await reply(seller, 'Very.');
    await reply(seller, 'And sunny.');
    const [mail] = await mailsTo(buyer);
    const token = new URL(mail?.unsubscribe_url ?? '').searchParams.get('token') ?? '';
    expect(await unsubscribe(testContext(db, { now: clock.now }), { token })).toEqual({
      ok: true,
      topic: 'messages',
    });
    clock.advance(24 * HOUR);
    expect(await sendDigests(system())).toBe(0);
    await markThreadRead(as(buyer), { inquiryId });
    await reply(seller, 'Still there?');
    expect(await mailsTo(buyer)).toHaveLength(1);
  });

  it('leaves the text of a sender without a verified address out of the mail', async () => {
    const fresh = await createUser(db, 'buyer');
    await db.q().updateTable('users').set({ email_verified: false }).where('id', '=', fresh.id).execute();
    await inquire(fresh, 'Look at https://evil.test');
    const mail = (await mailsTo(seller)).at(-1);
    expect(mail?.text_body).toContain(`${fresh.name} wrote to you.`);
    expect(mail?.html_body).not.toContain('evil.test');
  });

  it('serves many recipients in one run, each once, even with two concurrent processes', async () => {
    const buyers = await Promise.all(Array.from({ length: 12 }, () => createUser(db, 'buyer')));
    for (const one of buyers) {
      const id = await inquire(one);
      await reply(seller, 'a', id);
      await reply(seller, 'b', id);
    }
    clock.advance(24 * HOUR);
    const sent = await Promise.all([sendDigests(system()), sendDigests(system())]);
    expect(sent[0] + sent[1]).toBe(12);
    for (const one of buyers) expect(await mailsTo(one)).toHaveLength(2);
  });
});
