import { type RawBuilder, sql } from 'kysely';
import type { ListingCard } from '#features/listings/model.ts';
import { cardColumns, cardsOf } from '#features/listings/reads.ts';
import { isPubliclyVisible, mainPicture } from '#features/listings/sql.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { type BoundedCount, lastPageOf } from '#platform/counts.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { messagesOf } from './messages.ts';
import type { Inbox, InboxFilter, InquiryProperty, Side, Thread } from './model.ts';
import type { OverseenInquiries, ReportQueue } from './oversight-model.ts';
import { INQUIRIES_PAGE_SIZE, type InquiryListQuery, inquiryRows, matchingInquiries } from './overview.ts';
import { isPropertyGone, ownConversation } from './parties.ts';
import { REPORTS_PAGE_SIZE, readReports, reportCount } from './report-queue.ts';
import { mayInquire, mayOversee, maySeeCorrespondence, refusalText, replyRefusal } from './rules.ts';

const INBOX_PAGE = 30;
/** Characters of the newest message shown in the list. */
const EXCERPT = 200;

/**
 * Number of messages that somebody has not read in the inquiries they sent: the user's own, or for an administrator those of
 * any buyer.
 * @throws Unauthenticated; Forbidden for the count of somebody else; NotFound for what is no id
 */
export async function unreadMessageCount(
  ctx: Ctx,
  { buyerId }: { buyerId?: string | undefined } = {},
): Promise<number> {
  const user = authorizedUser(ctx, mayInquire);
  if (buyerId !== undefined && buyerId !== user.id && !mayOversee(user)) throw new Forbidden();
  if (buyerId !== undefined && !isUuid(buyerId)) throw new NotFound('Buyer not found');
  const { rows } = await sql<{ unread: number }>`
    select get_buyer_unread_messages_count(${buyerId ?? user.id}) as unread`.execute(ctx.db.q());
  return rows[0]?.unread ?? 0;
}

/**
 * Number of pending inquiries about the seller's own listings; zero, without a query, for everybody else.
 * @throws Unauthenticated
 */
export async function pendingInquiryCount(ctx: Ctx): Promise<number> {
  const user = authorizedUser(ctx, mayInquire);
  if (user.role !== 'agent' || user.agentId === null) return 0;
  const { pending } = await ctx.db
    .q()
    .selectFrom('property_inquiries as i')
    .innerJoin('properties', 'properties.id', 'i.property_id')
    .select((count) => count.fn.countAll<number>().as('pending'))
    .where('properties.agent_id', '=', user.agentId)
    .where(isPending)
    .executeTakeFirstOrThrow();
  return pending;
}

/** True for an inquiry that its seller's page labels as pending, whether or not it can still be answered. */
const isPending = sql<boolean>`i.status = 'pending'`;

/** True for an inquiry with a reply that its buyer has not read. */
const hasUnread = (userId: string) => sql<boolean>`exists (select from inquiry_messages m
  where m.inquiry_id = i.id and not m.is_read and m.sender_id <> ${userId})`;

/**
 * Number of messages of the other side that a side has not read; the inquiry's own text counts for the seller, and what a former
 * seller of the property wrote for the buyer alone.
 */
const unreadCountSql = (side: Side): RawBuilder<number> => sql<number>`(
  (select count(*) from inquiry_messages m
    where m.inquiry_id = i.id and not m.is_read and m.sender_id ${sql.raw(side === 'buyer' ? '<>' : '=')} i.user_id)
  ${side === 'seller' ? sql`+ (i.opened_at is null)::integer` : sql``})`;

/**
 * The user's conversations, newest first, 30 a page. `side` defaults to the inquiries about their own listings for
 * sellers, and to the inquiries they sent for everybody else. 'needs_response' selects a seller's pending
 * conversations, or a buyer's with unread messages.
 * @throws Unauthenticated; Forbidden for the seller side without a seller record; BadRequest for an invalid cursor
 */
export async function inbox(
  ctx: Ctx,
  input: {
    side?: Side | undefined;
    filter?: InboxFilter | undefined;
    before?: string | null | undefined;
  } = {},
): Promise<Inbox> {
  const user = authorizedUser(ctx, mayInquire);
  const side = input.side ?? (user.role === 'agent' ? 'seller' : 'buyer');
  if (side === 'seller' && (user.role !== 'agent' || user.agentId === null)) throw new Forbidden();
  const key = readPageKey(input.before);
  const needs = side === 'seller' ? isPending : hasUnread(user.id);
  const own = () =>
    ctx.db
      .q()
      .selectFrom('property_inquiries as i')
      .innerJoin('properties', 'properties.id', 'i.property_id')
      .where(
        side === 'seller' ? 'properties.agent_id' : 'i.user_id',
        '=',
        side === 'seller' ? user.agentId : user.id,
      );
  const [counts, rows] = await Promise.all([
    own()
      .select((count) => count.fn.countAll<number>().as('all'))
      .select(sql<number>`count(*) filter (where ${needs})`.as('needsResponse'))
      .executeTakeFirstOrThrow(),
    ctx.db
      .q()
      // Select the page first, so that texts, counts and pictures are looked up only for its rows.
      .with('page', () =>
        own()
          .select(['i.id', 'i.last_message_at'])
          .$if(input.filter === 'needs_response', (q) => q.where(needs))
          .$if(key !== null, (q) =>
            q.where(sql<boolean>`(i.last_message_at, i.id) < (${key?.at}::timestamptz, ${key?.id}::uuid)`),
          )
          .orderBy('i.last_message_at', 'desc')
          .orderBy('i.id', 'desc')
          .limit(INBOX_PAGE + 1),
      )
      .selectFrom('page')
      .innerJoin('property_inquiries as i', 'i.id', 'page.id')
      .innerJoin('properties', 'properties.id', 'i.property_id')
      .innerJoin('agents as a', 'a.id', 'properties.agent_id')
      .innerJoin('users as b', 'b.id', 'i.user_id')
      .leftJoinLateral(
        (lateral) =>
          lateral
            .selectFrom('inquiry_messages as m')
            .select(['m.sender_id', sql<string>`left(m.message, ${EXCERPT})`.as('text')])
            .whereRef('m.inquiry_id', '=', 'i.id')
            .orderBy('m.created_at', 'desc')
            .orderBy('m.id', 'desc')
            .limit(1)
            .as('newest'),
        (on) => on.onTrue(),
      )
      .select(cardColumns)
      .select([mainPicture().as('picture'), isPropertyGone.as('gone'), isPubliclyVisible().as('seen')])
      .select(['i.id as inquiry_id', 'i.last_message_at', 'i.status as label', 'i.user_id as buyer_id'])
      .select([sql<string>`left(i.message, ${EXCERPT})`.as('first'), 'newest.text', 'newest.sender_id'])
      .select([side === 'seller' ? 'b.name as other' : 'a.name as other', unreadCountSql(side).as('unread')])
      .select(pageKey(sql`i.last_message_at`, sql`i.id`).as('key'))
      .orderBy('page.last_message_at', 'desc')
      .orderBy('page.id', 'desc')
      .execute(),
  ]);
  const page = rows.slice(0, INBOX_PAGE);
  const cards = await cardsOf(ctx, page);
  return {
    side,
    rows: page.map((row, at) => ({
      id: row.inquiry_id,
      property: visibleProperty(user, side, row, cards[at]),
      other: { name: row.other },
      newest: row.text ?? row.first,
      newestIsMine: (row.sender_id ?? row.buyer_id) === user.id,
      at: row.last_message_at.toISOString(),
      unread: row.unread,
      label: row.label,
    })),
    counts,
    before: rows.length > INBOX_PAGE ? (page.at(-1)?.key ?? null) : null,
  };
}

/** What a party may see of the property: its seller everything, the buyer the price only while its page is public. */
function visibleProperty(
  user: UserActor,
  side: Side,
  { gone, seen }: { gone: boolean; seen: boolean },
  card: ListingCard | undefined,
): InquiryProperty | null {
  if (gone || !card) return null;
  const canOpen = seen || side === 'seller' || user.role === 'admin';
  const { id, address, town, type, picture, status, totalCents } = card;
  return { id, address, town, type, picture, status, totalCents: canOpen ? totalCents : null, canOpen };
}

/**
 * One conversation with a page of at most 50 messages, oldest first. Does not mark anything as read; see
 * `markThreadRead`.
 * @throws Unauthenticated; NotFound for a conversation of others; BadRequest for an invalid cursor
 */
export async function thread(
  ctx: Ctx,
  inquiryId: string,
  { before }: { before?: string | null | undefined } = {},
): Promise<Thread> {
  const key = readPageKey(before);
  const found = await ownConversation(ctx, inquiryId);
  const { user, side } = found;
  const [page, [card], report] = await Promise.all([
    messagesOf(ctx, found, key),
    cardsOf(ctx, [found.property]),
    ctx.db
      .q()
      .selectFrom('inquiry_reports')
      .select('id')
      .where('inquiry_id', '=', found.id)
      .where('reported_by', '=', user.id)
      .where('resolved_at', 'is', null)
      .executeTakeFirst(),
  ]);
  const reason = replyRefusal(user, found);
  return {
    id: found.id,
    side,
    property: visibleProperty(user, side, found, card),
    other: { name: side === 'buyer' ? found.seller.name : found.buyer.name },
    label: found.label,
    reply: reason ? { allowed: false, reason, text: refusalText[reason] } : { allowed: true },
    blockedByMe: found.blockedByMe,
    reported: report !== undefined,
    ...page,
  };
}

/**
 * What a buyer and the seller of a property wrote to each other at or after `since`, oldest first; of a long conversation the
 * newest 500 messages. For the system alone.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function correspondence(
  ctx: Ctx,
  { propertyId, buyerId, since }: { propertyId: string; buyerId: string; since: Date },
): Promise<{ at: Date; byBuyer: boolean; text: string }[]> {
  authorize(ctx, maySeeCorrespondence);
  const inquiry = await ctx.db
    .q()
    .selectFrom('property_inquiries')
    .select(['id', 'message', 'created_at'])
    .where('property_id', '=', propertyId)
    .where('user_id', '=', buyerId)
    .executeTakeFirst();
  if (!inquiry) return [];
  const rows = await ctx.db
    .q()
    .selectFrom('inquiry_messages')
    .select(['sender_id', 'message', 'created_at'])
    .where('inquiry_id', '=', inquiry.id)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
  const replies = rows.toReversed().map(({ sender_id, message, created_at }) => ({
    at: created_at,
    byBuyer: sender_id === buyerId,
    text: message,
  }));
  const first = { at: inquiry.created_at, byBuyer: true, text: inquiry.message };
  return first.at >= since ? [first, ...replies] : replies;
}

/**
 * A page of all inquiries, 25 unless `size` says otherwise, newest first unless sorted; a page past the end is the last one.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function inquiryOverview(
  ctx: Ctx,
  {
    q = '',
    sort = null,
    page = 1,
    size,
  }: Partial<InquiryListQuery> & { page?: number; size?: number | null },
): Promise<OverseenInquiries> {
  authorize(ctx, mayOversee);
  const limit = size ?? INQUIRIES_PAGE_SIZE;
  const wanted = { q, sort, limit, offset: (page - 1) * limit };
  const { total, ids } = await matchingInquiries(ctx, wanted);
  const pages = lastPageOf(total, limit);
  const shown = Math.min(page, pages);
  const cut = { ...wanted, offset: (shown - 1) * limit };
  const chosen = ids && shown < page ? (await matchingInquiries(ctx, cut)).ids : ids;
  const rows = total.count > 0 ? await inquiryRows(ctx, chosen ?? cut) : [];
  return { rows, total, page: shown, pages };
}

/**
 * A page of reported conversations, 25 unless `size` says otherwise: those that wait for a decision, the oldest first, or the decided ones, the latest first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function reportQueue(
  ctx: Ctx,
  { state, page = 1, size }: { state: 'open' | 'decided'; page?: number; size?: number | null },
): Promise<ReportQueue> {
  authorize(ctx, mayOversee);
  return readReports(ctx, state, { page, size: size ?? REPORTS_PAGE_SIZE });
}

/**
 * The number of reported conversations that wait for a decision.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function openReportCount(ctx: Ctx): Promise<BoundedCount> {
  authorize(ctx, mayOversee);
  return reportCount(ctx, 'open');
}
