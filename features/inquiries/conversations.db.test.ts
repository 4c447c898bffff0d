import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { testClock, testContext } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { createListing } from '#tests/support/listings.ts';
import { createPerson } from '#tests/support/people.ts';
import { countQueries } from '#tests/support/query-count.ts';
import { blockUser, unblockUser } from './commands/block-user.ts';
import { markThreadRead } from './commands/mark-thread-read.ts';
import { replyInquiry } from './commands/reply-inquiry.ts';
import { reportInquiry } from './commands/report-inquiry.ts';
import { sendInquiry } from './commands/send-inquiry.ts';
import { inbox, thread, unreadCount } from './reads.ts';

await describeOnEachDatabase('conversations', (open) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let stranger: UserActor;
  let house: string;
  let inquiryId: string;
  let keys = 0;
  const clock = testClock();
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const ask = async (actor: UserActor, propertyId: string, message = 'Is it quiet?') => {
    clock.advance(61_000);
    const result = await sendInquiry(as(actor), { propertyId, message, key: `k${keys++}` });
    if (!result.ok) throw new Error(`the inquiry was refused: ${result.reason}`);
    return result.inquiryId;
  };
  const reply = (actor: UserActor, message: string, { key = `k${keys++}`, inquiry = inquiryId } = {}) => {
    clock.advance(1_000);
    return replyInquiry(as(actor), { inquiryId: inquiry, message, key });
  };
  const events = async (person: UserActor) => {
    const rows = await db
      .q()
      .selectFrom('live_events')
      .select(['type', 'payload'])
      .where('audience', '=', `user:${person.id}`)
      .orderBy('id')
      .execute();
    return rows.map(({ type, payload }) => `${type}${(payload as { mine?: boolean }).mine ? ' (mine)' : ''}`);
  };
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    [seller, buyer, stranger] = await Promise.all([
      createPerson(db, 'agent'),
      createPerson(db, 'buyer'),
      createPerson(db, 'buyer'),
    ]);
    house = await createListing(db, seller.agentId);
    inquiryId = await ask(buyer, house);
  });
  afterAll(() => db.close());

  it('goes to and fro: texts in order, labels, unread counts, read marks on both sides', async () => {
    expect(await unreadCount(as(seller))).toBe(1);
    expect((await inbox(as(seller))).rows).toMatchObject([
      { id: inquiryId, other: { name: buyer.name }, newest: 'Is it quiet?', unread: 1, label: 'pending' },
    ]);
    expect(await markThreadRead(as(seller), inquiryId)).toBe(1);
    expect(await markThreadRead(as(seller), inquiryId)).toBe(0);
    await reply(seller, '  Very quiet.\n');
    expect((await inbox(as(buyer))).rows).toMatchObject([
      {
        newest: 'Very quiet.',
        newestIsMine: false,
        unread: 1,
        label: 'resolved',
        other: { name: seller.name },
      },
    ]);
    expect(await unreadCount(as(buyer))).toBe(1);
    expect(await unreadCount(as(seller))).toBe(0);
    expect(await markThreadRead(as(buyer), inquiryId)).toBe(1);
    await reply(buyer, 'Good.');
    const [forBuyer, forSeller] = [await thread(as(buyer), inquiryId), await thread(as(seller), inquiryId)];
    expect(forBuyer.messages.map(({ text, mine, seen, sender }) => [text, sender, mine, seen])).toEqual([
      ['Is it quiet?', 'buyer', true, true],
      ['Very quiet.', 'seller', false, false],
      ['Good.', 'buyer', true, false],
    ]);
    expect(forSeller.messages.map(({ mine, seen }) => [mine, seen])).toEqual([
      [false, false],
      [true, true],
      [false, false],
    ]);
    expect(forBuyer.messages[0]?.id).toBe(inquiryId);
    expect([forBuyer.side, forSeller.side, forBuyer.label]).toEqual(['buyer', 'seller', 'pending']);
    expect(await unreadCount(as(seller))).toBe(1);
  });

  it('both hear of each text and each opening, nobody else (B-060)', async () => {
    await reply(seller, 'Very.');
    await markThreadRead(as(buyer), inquiryId);
    expect(await events(seller)).toEqual(['inquiry.message', 'inquiry.message (mine)', 'inquiry.read']);
    expect(await events(buyer)).toEqual(['inquiry.message (mine)', 'inquiry.message', 'inquiry.read (mine)']);
    expect(await events(stranger)).toEqual([]);
  });

  it('a text that is sent again is stored once, also when both attempts come at once', async () => {
    const sent = await Promise.all([1, 2, 3].map(() => reply(buyer, 'Hello?', { key: 'again' })));
    sent.push(await reply(buyer, 'Hello?', { key: 'again' }));
    expect(new Set(sent.map((result) => result.ok && result.messageId)).size).toBe(1);
    expect((await thread(as(buyer), inquiryId)).messages.map(({ text }) => text)).toEqual([
      'Is it quiet?',
      'Hello?',
    ]);
    // The other party's key is another one, even where it is the same text.
    await reply(seller, 'Hello!', { key: 'again' });
    expect((await thread(as(buyer), inquiryId)).messages).toHaveLength(3);
  });

  it('refuses what is empty or too long, and more than 30 a minute', async () => {
    expect(await reply(buyer, ' \n ')).toEqual({ ok: false, reason: 'empty' });
    expect(await reply(buyer, 'x'.repeat(4001))).toEqual({ ok: false, reason: 'too_long' });
    clock.advance(60_000 - (clock.now().getTime() % 60_000));
    const ctx = as(buyer);
    const send = (n: number) => replyInquiry(ctx, { inquiryId, message: 'x', key: `n${n}` });
    for (let n = 0; n < 30; n++) await send(n);
    await expect(send(30)).rejects.toThrow('Too many attempts');
    // What is there already costs nothing.
    expect(await send(29)).toMatchObject({ ok: true });
  });

  it('pages a long conversation from its end to the first text, without a gap', async () => {
    await db
      .q()
      .insertInto('inquiry_messages')
      .values(
        Array.from({ length: 130 }, (_, n) => ({
          inquiry_id: inquiryId,
          sender_id: n % 2 ? buyer.id : seller.id,
          message: `m${n}`,
          // Three at the same moment: the id decides.
          created_at: new Date(clock.now().getTime() + Math.floor(n / 3) * 1_000),
        })),
      )
      .execute();
    const texts: string[] = [];
    let before: string | null = null;
    const sizes: number[] = [];
    do {
      const page = await thread(as(buyer), inquiryId, { before });
      texts.unshift(...page.messages.map(({ text }) => text));
      sizes.push(page.messages.length);
      before = page.before;
    } while (before);
    expect(sizes).toEqual([50, 50, 31]);
    expect(texts[0]).toBe('Is it quiet?');
    expect(new Set(texts).size).toBe(131);
    await expect(thread(as(buyer), inquiryId, { before: 'nonsense' })).rejects.toThrow('Bad request');
  });

  it('lists conversations newest first by pages, and those that need a response apart (B-054)', async () => {
    const askers = await Promise.all(Array.from({ length: 34 }, () => createPerson(db, 'buyer')));
    for (const [n, asker] of askers.entries()) {
      const id = await ask(asker, house, `question ${n}`);
      if (n % 2) await reply(seller, 'answer', { inquiry: id });
    }
    const first = await inbox(as(seller));
    expect(first.counts).toEqual({ all: 35, needsResponse: 18 });
    expect(first.rows).toHaveLength(30);
    const second = await inbox(as(seller), { before: first.before });
    expect([second.rows.length, second.before]).toEqual([5, null]);
    const all = [...first.rows, ...second.rows];
    expect(new Set(all.map(({ id }) => id)).size).toBe(35);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    const waiting = await inbox(as(seller), { filter: 'needs_response' });
    expect(waiting.rows).toHaveLength(18);
    expect(waiting.rows.every(({ label }) => label === 'pending')).toBe(true);
    // No query for each row: 1 row costs as many as 30.
    const lone = await inbox(as(buyer));
    expect(lone.rows).toHaveLength(1);
    const [few, many] = [
      await countQueries(db, (counted) => inbox({ ...as(buyer), db: counted })),
      await countQueries(db, (counted) => inbox({ ...as(seller), db: counted })),
    ];
    expect(many).toBe(few);
    expect(many).toBeGreaterThan(0);
  });

  describe('ends', () => {
    const gone = [
      ['deleted', { deleted_at: new Date() }],
      ['withdrawn', { status: 'withdrawn' }],
    ] as const;
    it.each(gone)('with a property that is %s, and stays readable (B-061)', async (_, change) => {
      await db.q().updateTable('properties').set(change).where('id', '=', house).execute();
      const read = await thread(as(buyer), inquiryId);
      expect(read.property).toBeNull();
      expect(read.reply).toEqual({ allowed: false, reason: 'gone', text: 'Property no longer available' });
      expect(read.messages).toHaveLength(1);
      expect(await reply(buyer, 'Hello?')).toEqual({ ok: false, reason: 'gone' });
      expect(await reply(seller, 'Hello?')).toEqual({ ok: false, reason: 'gone' });
      // Nobody is asked to answer what cannot be answered.
      expect(await unreadCount(as(seller))).toBe(0);
      expect((await inbox(as(seller))).counts).toEqual({ all: 1, needsResponse: 0 });
    });

    it('for both when one blocks the other, in all their conversations, until that is taken back', async () => {
      const second = await createListing(db, seller.agentId);
      await blockUser(as(seller), inquiryId);
      await blockUser(as(seller), inquiryId);
      expect(await reply(buyer, 'Hello?')).toEqual({ ok: false, reason: 'blocked' });
      expect(await reply(seller, 'Hello?')).toEqual({ ok: false, reason: 'blocked_by_me' });
      expect((await thread(as(seller), inquiryId)).blockedByMe).toBe(true);
      expect((await thread(as(buyer), inquiryId)).blockedByMe).toBe(false);
      expect(await unreadCount(as(seller))).toBe(0);
      const asked = await sendInquiry(as(buyer), { propertyId: second, message: 'And this?', key: 'x' });
      expect(asked).toEqual({ ok: false, reason: 'blocked' });
      // The other's block is not one's own to take back.
      await unblockUser(as(buyer), inquiryId);
      expect(await reply(buyer, 'Hello?')).toEqual({ ok: false, reason: 'blocked' });
      await unblockUser(as(seller), inquiryId);
      expect(await reply(buyer, 'Hello?')).toMatchObject({ ok: true });
      expect((await events(buyer)).filter((type) => type === 'inquiry.changed')).toHaveLength(2);
    });

    it('while the seller is suspended: neither writes (B-098)', async () => {
      await db
        .q()
        .updateTable('agents')
        .set({ status: 'suspended' })
        .where('id', '=', seller.agentId)
        .execute();
      expect(await reply(buyer, 'Hello?')).toEqual({ ok: false, reason: 'suspended' });
      expect(await reply({ ...seller, suspended: true }, 'Hello')).toEqual({
        ok: false,
        reason: 'read_only',
      });
    });
  });

  it('shows no price of a property whose page the buyer cannot open', async () => {
    expect((await thread(as(buyer), inquiryId)).property).toMatchObject({
      canOpen: true,
      totalCents: expect.any(Number),
    });
    await db.q().updateTable('properties').set({ status: 'pending' }).where('id', '=', house).execute();
    expect((await thread(as(buyer), inquiryId)).property).toMatchObject({ canOpen: false, totalCents: null });
    expect((await thread(as(seller), inquiryId)).property).toMatchObject({ canOpen: true });
  });

  it('addresses in the texts of a buyer become links once their own address is verified', async () => {
    await reply(seller, 'https://acre.test');
    const links = async () => (await thread(as(seller), inquiryId)).messages.map((message) => message.links);
    expect(await links()).toEqual([true, true]);
    await db.q().updateTable('users').set({ email_verified: false }).where('id', '=', buyer.id).execute();
    expect(await links()).toEqual([false, true]);
  });

  it('a report reaches the administrators once while it is open', async () => {
    const report = (reason: string) => reportInquiry(as(buyer), { inquiryId, reason });
    expect(await report('  ')).toEqual({ ok: false, reason: 'empty' });
    expect(await report('x'.repeat(2001))).toEqual({ ok: false, reason: 'too_long' });
    expect((await thread(as(buyer), inquiryId)).reported).toBe(false);
    expect(await report('Rude.')).toEqual({ ok: true });
    expect(await report('Very rude.')).toEqual({ ok: true });
    const reports = await db
      .q()
      .selectFrom('inquiry_reports')
      .selectAll()
      .where('inquiry_id', '=', inquiryId)
      .execute();
    expect(reports).toMatchObject([{ reason: 'Rude.', reported_by: buyer.id, resolved_at: null }]);
    expect((await thread(as(buyer), inquiryId)).reported).toBe(true);
    expect((await thread(as(seller), inquiryId)).reported).toBe(false);
  });

  it('a seller who asks about the house of another finds the answer on the buyer’s side', async () => {
    const asker = await createPerson(db, 'agent');
    const id = await ask(asker, house);
    expect((await inbox(as(asker))).rows).toEqual([]);
    expect((await inbox(as(asker), { side: 'buyer' })).rows).toMatchObject([{ id }]);
    expect((await thread(as(asker), id)).side).toBe('buyer');
    await expect(inbox(as(buyer), { side: 'seller' })).rejects.toThrow('Not authorized');
  });
});
