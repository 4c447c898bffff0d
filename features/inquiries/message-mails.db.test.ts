import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { savePreferences } from '#features/notifications/commands/save-preferences.ts';
import { unsubscribe } from '#features/notifications/commands/unsubscribe.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { markThreadRead } from './commands/mark-thread-read.ts';
import { replyInquiry } from './commands/reply-inquiry.ts';
import { sendDigests } from './commands/send-digests.ts';
import { sendInquiry } from './commands/send-inquiry.ts';

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
    // It is 12:00 now; digests are sent at 8:00.
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
