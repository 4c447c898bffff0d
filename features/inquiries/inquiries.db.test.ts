import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { sendInquiry } from './commands/send-inquiry.ts';
import { pendingInquiryCount, unreadMessageCount } from './reads.ts';

await describeOnEachDatabase('inquiries', (open) => {
  let db: Database;
  let seller: UserActor;
  let listing: string;
  const clock = testClock();
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const threads = (propertyId: string) =>
    db.q().selectFrom('property_inquiries').selectAll().where('property_id', '=', propertyId).execute();
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    listing = await createListing(db, seller.agentId);
  });
  afterAll(() => db.close());

  it('stores the trimmed text in the inquiry only, pending, with its audit row', async () => {
    const buyer = await createUser(db, 'buyer');
    const result = await sendInquiry(as(buyer), {
      propertyId: listing,
      message: '  Is the well deep?\n',
      key: 'a',
    });
    expect(result).toMatchObject({ ok: true });
    const [thread] = await threads(listing);
    expect(thread).toMatchObject({ message: 'Is the well deep?', user_id: buyer.id, status: 'pending' });
    expect(await db.q().selectFrom('inquiry_messages').selectAll().execute()).toEqual([]);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .selectAll()
      .where('entity_id', '=', thread?.id ?? '')
      .execute();
    expect(audited).toMatchObject([{ action: 'inquiry.send', actor_id: buyer.id }]);
  });

  it('ignores a repeated submission; a second message joins the thread', async () => {
    const buyer = await createUser(db, 'buyer');
    const listingId = await createListing(db, seller.agentId);
    const send = (message: string, key: string) =>
      sendInquiry(as(buyer), { propertyId: listingId, message, key });
    const twice = await Promise.all([send('First', 'k1'), send('First', 'k1')]);
    expect(new Set(twice.map((result) => result.ok && result.inquiryId)).size).toBe(1);
    await send('Second', 'k2');
    clock.advance(61_000);
    await send('Second', 'k2');
    clock.advance(61_000);
    // From the page of the first inquiry, which was gone back to.
    await send('Third', 'k1');
    await send('Third', 'k1');
    expect(await threads(listingId)).toMatchObject([{ message: 'First' }]);
    const messages = await db
      .q()
      .selectFrom('inquiry_messages')
      .select(['message', 'sender_id'])
      .orderBy('created_at')
      .execute();
    expect(messages).toEqual(['Second', 'Third'].map((message) => ({ message, sender_id: buyer.id })));
  });

  it('sent again after its answer was lost is the first one, whatever has changed since', async () => {
    const buyer = as(await createUser(db, 'buyer'));
    const listingId = await createListing(db, seller.agentId);
    const send = (message: string, key: string, ctx = buyer) =>
      sendInquiry(ctx, { propertyId: listingId, message, key });
    const first = await send('Is it quiet?', 'q1');
    await send('And at night?', 'q2');
    await send('And in summer?', 'q3');
    // No token is left, and a repeat takes none.
    expect(await send('Is it quiet?', 'q1')).toEqual(first);
    expect(await send('And at night?', 'q2')).toEqual(first);
    await expect(send('And in winter?', 'q4')).rejects.toThrow('Too many attempts');
    clock.advance(MINUTE);
    const become = (status: 'escrow' | 'withdrawn') =>
      db.q().updateTable('properties').set({ status }).where('id', '=', listingId).execute();
    await become('escrow');
    expect(await send('Is it quiet?', 'q1')).toEqual(first);
    expect(await send('And in winter?', 'q4')).toEqual({ ok: false, reason: 'unavailable' });
    // Another text is another message, whatever its key, and so is what another user sends with it.
    expect(await send('And in winter?', 'q1')).toEqual({ ok: false, reason: 'unavailable' });
    const other = as(await createUser(db, 'buyer'));
    expect(await send('Is it quiet?', 'q1', other)).toEqual({ ok: false, reason: 'unavailable' });
    await become('withdrawn');
    expect(await send('And at night?', 'q2')).toEqual(first);
    expect(await threads(listingId)).toHaveLength(1);
  });

  describe('rejects', () => {
    it('an empty and a too long message', async () => {
      const buyer = as(await createUser(db, 'buyer'));
      const send = (message: string) => sendInquiry(buyer, { propertyId: listing, message, key: 'x' });
      expect(await send(' \n\t ')).toEqual({ ok: false, reason: 'empty' });
      await expect(send('x'.repeat(4001))).resolves.toEqual({ ok: false, reason: 'too_long' });
      expect(await send('x'.repeat(4000))).toMatchObject({ ok: true });
    });
    it('visitors, the owner, and listings that are not for sale', async () => {
      const inquire = (ctx: ReturnType<typeof as>, propertyId: string) =>
        sendInquiry(ctx, { propertyId, message: 'Hello', key: 'x' });
      await expect(inquire(testContext(db), listing)).rejects.toThrow('Authentication required');
      expect(await inquire(as(seller), listing)).toEqual({ ok: false, reason: 'own' });
      const sold = await createListing(db, seller.agentId, { status: 'Sold' });
      const pending = await createListing(db, seller.agentId, { status: 'pending' });
      const buyer = as(await createUser(db, 'buyer'));
      expect(await inquire(buyer, sold)).toEqual({ ok: false, reason: 'unavailable' });
      await expect(inquire(buyer, pending)).rejects.toThrow('Property not found');
      await expect(inquire(buyer, 'nonsense')).rejects.toThrow('Property not found');
    });
    it('more than three a minute and ten a day, per user', async () => {
      const buyer = as(await createUser(db, 'buyer'));
      let sent = 0;
      const inquire = () => sendInquiry(buyer, { propertyId: listing, message: 'Hello', key: `n${sent++}` });
      for (let i = 0; i < 3; i++) await inquire();
      await expect(inquire()).rejects.toThrow('Too many attempts');
      for (let i = 0; i < 7; i++) {
        clock.advance(MINUTE);
        await inquire();
      }
      clock.advance(MINUTE);
      await expect(inquire()).rejects.toThrow('Too many attempts');
      const other = as(await createUser(db, 'buyer'));
      expect(await sendInquiry(other, { propertyId: listing, message: 'Hello', key: 'x' })).toMatchObject({
        ok: true,
      });
    });
  });

  it("counts a buyer's unread messages and a seller's pending inquiries, only their own, and any buyer's for administrators", async () => {
    const [owner, buyer, stranger, admin] = [
      await createUser(db, 'agent'),
      await createUser(db, 'buyer'),
      await createUser(db, 'buyer'),
      await createUser(db, 'admin'),
    ];
    const listingId = await createListing(db, owner.agentId);
    const result = await sendInquiry(as(buyer), { propertyId: listingId, message: 'Hello', key: 'x' });
    if (!result.ok) throw new Error('the inquiry was refused');
    expect(await pendingInquiryCount(as(owner))).toBe(1);
    expect(await unreadMessageCount(as(buyer))).toBe(0);
    await db
      .q()
      .insertInto('inquiry_messages')
      .values({ inquiry_id: result.inquiryId, sender_id: owner.id, message: 'Welcome' })
      .execute();
    expect(await pendingInquiryCount(as(owner))).toBe(0);
    expect(await unreadMessageCount(as(buyer))).toBe(1);
    expect(await unreadMessageCount(as(stranger))).toBe(0);
    expect(await pendingInquiryCount(as(buyer))).toBe(0);
    expect(await unreadMessageCount(as(admin), { buyerId: buyer.id })).toBe(1);
    expect(await unreadMessageCount(as(buyer), { buyerId: buyer.id })).toBe(1);
    await expect(unreadMessageCount(as(stranger), { buyerId: buyer.id })).rejects.toThrow('Not authorized');
    const withoutFactor = as({ ...admin, mustAddFactor: true });
    await expect(unreadMessageCount(withoutFactor, { buyerId: buyer.id })).rejects.toThrow('Not authorized');
    await expect(unreadMessageCount(as(admin), { buyerId: 'nobody' })).rejects.toThrow('Buyer not found');
  });
});
