import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { replyInquiry } from '#features/inquiries/commands/reply-inquiry.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { matchListing } from '#features/saved-searches/commands/match-listing.ts';
import { saveSearch } from '#features/saved-searches/commands/save-search.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { markAllRead } from './commands/mark-all-read.ts';
import { bellContent, unreadCounts } from './reads.ts';
import { NOTHING_UNREAD } from './rules.ts';

await describeOnDatabase('the bell', (open) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let listingId: string;
  const as = (actor: UserActor) => testContext(db, { actor });
  const system = () => testContext(db, { actor: { kind: 'system', name: 'jobs' } });
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    [seller, buyer] = [await createUser(db, 'agent'), await createUser(db, 'buyer')];
    listingId = await createListing(db, seller.agentId);
  });
  afterAll(() => db.close());

  /** One unread message of the seller, two property updates and one new match. */
  async function createNews(reader: UserActor): Promise<string> {
    const asked = await sendInquiry(as(reader), { propertyId: listingId, message: 'Is it quiet?', key: 'a' });
    if (!asked.ok) throw new Error(asked.reason);
    await replyInquiry(as(seller), { inquiryId: asked.inquiryId, message: 'Very.', key: 'b' });
    await setWatch(as(reader), { propertyId: listingId, watched: true });
    await db
      .q()
      .updateTable('properties')
      .set({ price_cents: 700_000_00, status: 'escrow' })
      .where('id', '=', listingId)
      .execute();
    const word = `w${reader.id.replaceAll(/[^a-z]/g, '')}`;
    await saveSearch(as(reader), { name: 'Mine', cadence: 'daily', query: `q=${word}` });
    const found = await createListing(db, seller.agentId, { description: word });
    await matchListing(system(), { propertyId: found });
    return asked.inquiryId;
  }

  it.each(['buyer', 'agent', 'admin'] as const)(
    'counts everything that a reader with role %s has not seen',
    async (role) => {
      const reader = await createUser(db, role);
      const inquiryId = await createNews(reader);
      const counts = { inquiries: 0, messages: 1, updates: 2, matches: 1 };
      expect(await unreadCounts(as(reader))).toEqual(counts);
      const content = await bellContent(as(reader));
      expect(content).toMatchObject({
        counts,
        inquiries: [],
        messages: [{ id: inquiryId, newest: 'Very.', other: { name: seller.name } }],
        updates: [{ isRead: false }, { isRead: false }],
        matches: [{ isNew: true }],
      });
    },
  );

  it("counts a seller's pending inquiries beside what they have asked themselves", async () => {
    const asked = await sendInquiry(as(buyer), { propertyId: listingId, message: 'Is it quiet?', key: 'a' });
    if (!asked.ok) throw new Error(asked.reason);
    expect(await unreadCounts(as(seller))).toEqual({ ...NOTHING_UNREAD, inquiries: 1 });
    expect((await bellContent(as(seller))).inquiries).toMatchObject([{ id: asked.inquiryId }]);
    expect(await unreadCounts(as(buyer))).toEqual(NOTHING_UNREAD);
  });

  it('marks all but messages as read, once, and tells the reader’s other pages', async () => {
    await createNews(buyer);
    expect(await markAllRead(as(buyer))).toBe(3);
    expect(await markAllRead(as(buyer))).toBe(0);
    expect(await unreadCounts(as(buyer))).toEqual({ ...NOTHING_UNREAD, messages: 1 });
    const { updates, matches } = await bellContent(as(buyer));
    expect([updates.map(({ isRead }) => isRead), matches]).toEqual([[true, true], []]);
    const events = await db
      .q()
      .selectFrom('live_events')
      .select('type')
      .where('audience', '=', `user:${buyer.id}`)
      .execute();
    const marks = events.map(({ type }) => type).filter((type) => /read|seen/.test(type));
    expect(marks).toEqual(['notification.read', 'saved-search.seen']);
  });

  it('is zero for visitors without a query, and asks as often for much as for little', async () => {
    const count = (ctx: ReturnType<typeof as>) =>
      countQueries(db, (counted) => unreadCounts({ ...ctx, db: counted }));
    expect(await unreadCounts(testContext(db))).toEqual(NOTHING_UNREAD);
    expect(await count(testContext(db))).toBe(0);
    const before = await count(as(buyer));
    await createNews(buyer);
    expect(await count(as(buyer))).toBe(before);
  });
});
