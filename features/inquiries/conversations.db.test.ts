import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { blockUser, unblockUser } from './commands/block-user.ts';
import { markThreadRead } from './commands/mark-thread-read.ts';
import { replyInquiry } from './commands/reply-inquiry.ts';
import { reportInquiry } from './commands/report-inquiry.ts';
import { sendInquiry } from './commands/send-inquiry.ts';
import { inbox, pendingInquiryCount, thread, unreadMessageCount } from './reads.ts';

await describeOnDatabase('conversations', (open) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let stranger: UserActor;
  let listingId: string;
  let inquiryId: string;
  let keys = 0;
  const clock = testClock();
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  const inquire = async (actor: UserActor, propertyId: string, message = 'Is it quiet?') => {
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
      createUser(db, 'agent'),
      createUser(db, 'buyer'),
      createUser(db, 'buyer'),
    ]);
    listingId = await createListing(db, seller.agentId);
    inquiryId = await inquire(buyer, listingId);
  });
  afterAll(() => db.close());

  it('goes back and forth: message order, labels, unread counts and read marks on both sides', async () => {
    expect(await pendingInquiryCount(as(seller))).toBe(1);
    expect((await inbox(as(seller))).rows).toMatchObject([
      { id: inquiryId, other: { name: buyer.name }, newest: 'Is it quiet?', unread: 1, label: 'pending' },
    ]);
    expect(await markThreadRead(as(seller), { inquiryId })).toBe(1);
    expect(await markThreadRead(as(seller), { inquiryId })).toBe(0);
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
    expect(await unreadMessageCount(as(buyer))).toBe(1);
    expect(await pendingInquiryCount(as(seller))).toBe(0);
    expect(await markThreadRead(as(buyer), { inquiryId })).toBe(1);
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
    expect(await pendingInquiryCount(as(seller))).toBe(1);
  });

  it('sends live events for each message and each reading to both parties, and nobody else', async () => {
    await reply(seller, 'Very.');
    await markThreadRead(as(buyer), { inquiryId });
    expect(await events(seller)).toEqual(['inquiry.message', 'inquiry.message (mine)', 'inquiry.read']);
    expect(await events(buyer)).toEqual(['inquiry.message (mine)', 'inquiry.message', 'inquiry.read (mine)']);
    expect(await events(stranger)).toEqual([]);
  });

  it('stores a message that is sent again once, even for concurrent attempts', async () => {
    const sent = await Promise.all([1, 2, 3].map(() => reply(buyer, 'Hello?', { key: 'again' })));
    sent.push(await reply(buyer, 'Hello?', { key: 'again' }));
    expect(new Set(sent.map((result) => result.ok && result.messageId)).size).toBe(1);
    expect((await thread(as(buyer), inquiryId)).messages.map(({ text }) => text)).toEqual([
      'Is it quiet?',
      'Hello?',
    ]);
    // Sent from a page that was gone back to: another text is another message.
    await reply(buyer, 'Still there?', { key: 'again' });
    await reply(buyer, 'Still there?', { key: 'again' });
    expect((await thread(as(buyer), inquiryId)).messages.slice(2).map(({ text }) => text)).toEqual([
      'Still there?',
    ]);
    // Keys are per sender: the other party may use the same one.
    await reply(seller, 'Hello!', { key: 'again' });
    await reply(seller, 'Hello?', { key: 'again' });
    expect(
      (await thread(as(buyer), inquiryId)).messages.map(({ text, mine }) => [text, mine]).slice(1),
    ).toEqual([
      ['Hello?', true],
      ['Still there?', true],
      ['Hello!', false],
      ['Hello?', false],
    ]);
  });

  it('leaves out what makes a text read otherwise than it is', async () => {
    await reply(seller, 'See\u202e moc.evil\u202c today');
    await reply(buyer, '\u2066Yes\u2069');
    const { messages } = await thread(as(buyer), inquiryId);
    expect(messages.slice(1).map(({ text }) => text)).toEqual(['See moc.evil today', 'Yes']);
    expect(await reply(buyer, '\u202e\u2066')).toEqual({ ok: false, reason: 'empty' });
  });

  it('rejects an empty or too long message, and more than 30 a minute', async () => {
    expect(await reply(buyer, ' \n ')).toEqual({ ok: false, reason: 'empty' });
    await expect(reply(buyer, 'x'.repeat(4001))).resolves.toEqual({ ok: false, reason: 'too_long' });
    clock.advance(MINUTE - (clock.now().getTime() % MINUTE));
    const ctx = as(buyer);
    const send = (n: number) => replyInquiry(ctx, { inquiryId, message: 'x', key: `n${n}` });
    for (let n = 0; n < 30; n++) await send(n);
    await expect(send(30)).rejects.toThrow('Too many attempts');
    // A repeated message does not count.
    expect(await send(29)).toMatchObject({ ok: true });
  });

  it('pages a long conversation from its end to the first message, without a gap', async () => {
    await db
      .q()
      .insertInto('inquiry_messages')
      .values(
        Array.from({ length: 130 }, (_, n) => ({
          inquiry_id: inquiryId,
          sender_id: n % 2 ? buyer.id : seller.id,
          message: `m${n}`,
          // Three at the same moment: the id breaks the tie.
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

  it('lists conversations newest first in pages, and filters those that need a response', async () => {
    const askers = await Promise.all(Array.from({ length: 34 }, () => createUser(db, 'buyer')));
    for (const [n, asker] of askers.entries()) {
      const id = await inquire(asker, listingId, `question ${n}`);
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
    // No query per row: 1 row needs as many as 30.
    const lone = await inbox(as(buyer));
    expect(lone.rows).toHaveLength(1);
    const [few, many] = [
      await countQueries(db, (counted) => inbox({ ...as(buyer), db: counted })),
      await countQueries(db, (counted) => inbox({ ...as(seller), db: counted })),
    ];
    expect(many).toBe(few);
    expect(many).toBeGreaterThan(0);
  });

  describe('close', () => {
    const gone = [
      ['deleted', { deleted_at: new Date() }],
      ['withdrawn', { status: 'withdrawn' }],
    ] as const;
    it.each(gone)('with a property that is %s, and stay readable', async (_, change) => {
      await db.q().updateTable('properties').set(change).where('id', '=', listingId).execute();
      const read = await thread(as(buyer), inquiryId);
      expect(read.property).toBeNull();
      expect(read.reply).toEqual({ allowed: false, reason: 'gone', text: 'Property no longer available' });
      expect(read.messages).toHaveLength(1);
      expect(await reply(buyer, 'Hello?')).toEqual({ ok: false, reason: 'gone' });
      expect(await reply(seller, 'Hello?')).toEqual({ ok: false, reason: 'gone' });
      // What the seller's page labels as pending is counted, even if nobody can write anymore.
      expect(await pendingInquiryCount(as(seller))).toBe(1);
      const needs = await inbox(as(seller), { filter: 'needs_response' });
      expect(needs.counts).toEqual({ all: 1, needsResponse: 1 });
      expect(needs.rows).toMatchObject([{ id: inquiryId, property: null, label: 'pending' }]);
    });

    it('for both parties when one blocks the other, in all their conversations, until unblocked', async () => {
      const second = await createListing(db, seller.agentId);
      await blockUser(as(seller), { inquiryId });
      await blockUser(as(seller), { inquiryId });
      expect(await reply(buyer, 'Hello?')).toEqual({ ok: false, reason: 'blocked' });
      expect(await reply(seller, 'Hello?')).toEqual({ ok: false, reason: 'blocked_by_me' });
      expect((await thread(as(seller), inquiryId)).blockedByMe).toBe(true);
      expect((await thread(as(buyer), inquiryId)).blockedByMe).toBe(false);
      expect(await pendingInquiryCount(as(seller))).toBe(1);
      const asked = await sendInquiry(as(buyer), { propertyId: second, message: 'And this?', key: 'x' });
      expect(asked).toEqual({ ok: false, reason: 'blocked' });
      await blockUser(as(buyer), { inquiryId });
      await unblockUser(as(seller), { inquiryId });
      // Whoever blocks somebody does not write to them either.
      await expect(
        sendInquiry(as(buyer), { propertyId: second, message: 'And this?', key: 'y' }),
      ).resolves.toEqual({
        ok: false,
        reason: 'blocked',
      });
      await unblockUser(as(buyer), { inquiryId });
      await blockUser(as(seller), { inquiryId });
      // Only the person who blocked can unblock.
      await unblockUser(as(buyer), { inquiryId });
      expect(await reply(buyer, 'Hello?')).toEqual({ ok: false, reason: 'blocked' });
      await unblockUser(as(seller), { inquiryId });
      expect(await reply(buyer, 'Hello?')).toMatchObject({ ok: true });
      expect((await events(buyer)).filter((type) => type === 'inquiry.changed')).toHaveLength(6);
    });

    it('one block at a time: of another party, and by another one, it stays', async () => {
      const [third, other] = [await createUser(db, 'agent'), await createUser(db, 'buyer')];
      const withThird = await inquire(buyer, await createListing(db, third.agentId));
      const others = await inquire(other, listingId);
      await blockUser(as(buyer), { inquiryId });
      await blockUser(as(buyer), { inquiryId: withThird });
      await blockUser(as(other), { inquiryId: others });
      await unblockUser(as(buyer), { inquiryId });
      expect((await thread(as(buyer), inquiryId)).blockedByMe).toBe(false);
      expect((await thread(as(buyer), withThird)).blockedByMe).toBe(true);
      expect((await thread(as(other), others)).blockedByMe).toBe(true);
      const { rows: audited } = await db.pool.query(
        `select action from audit_log where actor_id = $1 and action like 'user.%' order by id`,
        [buyer.id],
      );
      expect(audited.map(({ action }) => action)).toEqual(['user.block', 'user.block', 'user.unblock']);
    });

    it('of nobody who has no account', async () => {
      const invited = await db
        .q()
        .insertInto('agents')
        .values({ name: 'Invited', email: `invited-${crypto.randomUUID()}@example.test` })
        .returning('id')
        .executeTakeFirstOrThrow();
      const asked = await inquire(buyer, await createListing(db, invited.id));
      for (const change of [blockUser, unblockUser])
        await expect(
          change(as(buyer), { inquiryId: asked }).then(
            () => 'done',
            ({ name }: Error) => name,
          ),
        ).resolves.toBe('NotFound');
    });

    it('while the seller is suspended: neither party can write', async () => {
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
    await db.q().updateTable('properties').set({ status: 'pending' }).where('id', '=', listingId).execute();
    expect((await thread(as(buyer), inquiryId)).property).toMatchObject({ canOpen: false, totalCents: null });
    expect((await thread(as(seller), inquiryId)).property).toMatchObject({ canOpen: true });
  });

  it('turns URLs in a buyer’s messages into links only if their e-mail address is verified', async () => {
    await reply(seller, 'https://acre.test');
    const links = async () => (await thread(as(seller), inquiryId)).messages.map((message) => message.links);
    expect(await links()).toEqual([true, true]);
    await db.q().updateTable('users').set({ email_verified: false }).where('id', '=', buyer.id).execute();
    expect(await links()).toEqual([false, true]);
  });

  it('records one report at a time per reporter while it is open', async () => {
    const report = (reason: string) => reportInquiry(as(buyer), { inquiryId, reason });
    expect(await report('  ')).toEqual({ ok: false, reason: 'empty' });
    await expect(report('x'.repeat(2001))).resolves.toEqual({ ok: false, reason: 'too_long' });
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

  it('shows a seller’s inquiry about another seller’s listing on the buyer side', async () => {
    const asker = await createUser(db, 'agent');
    const id = await inquire(asker, listingId);
    expect((await inbox(as(asker))).rows).toEqual([]);
    expect((await inbox(as(asker), { side: 'buyer' })).rows).toMatchObject([{ id }]);
    expect((await thread(as(asker), id)).side).toBe('buyer');
    await expect(inbox(as(buyer), { side: 'seller' })).rejects.toThrow('Not authorized');
  });
});
