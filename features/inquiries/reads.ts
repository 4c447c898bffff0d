import { type RawBuilder, sql } from 'kysely';
import type { ListingCard } from '#features/listings/model.ts';
import { cardColumns, cardsOf, mainPicture } from '#features/listings/reads.ts';
import { anyone, authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import { Forbidden } from '#platform/errors.ts';
import { messagesOf } from './messages.ts';
import type { Inbox, InboxFilter, InquiryLabel, InquiryProperty, Side, Thread } from './model.ts';
import { goneProperty, ownConversation, seenProperty } from './parties.ts';
import { mayInquire, refusalText, replyRefusal } from './rules.ts';

const INBOX_PAGE = 30;
/** Characters of the newest text in the list. */
const EXCERPT = 200;

/**
 * The count on the bell: a buyer's unread messages, a seller's inquiries that wait for an answer (S0 §7, B-017, B-018).
 * Only ever one's own (B-059); nothing, and no query, for everybody else.
 */
export async function unreadCount(ctx: Ctx): Promise<number> {
  authorize(ctx, anyone);
  const { actor } = ctx;
  if (actor.kind !== 'user' || actor.role === 'admin') return 0;
  if (actor.role === 'agent') {
    const row = await ctx.db
      .q()
      .selectFrom('property_inquiries as i')
      .innerJoin('properties', 'properties.id', 'i.property_id')
      .select((count) => count.fn.countAll<number>().as('waiting'))
      .where('properties.agent_id', '=', actor.agentId)
      .where(needsSeller(actor.id))
      .executeTakeFirst();
    return row?.waiting ?? 0;
  }
  const { rows } = await sql<{ unread: number }>`
    select get_buyer_unread_messages_count(${actor.id}) as unread`.execute(ctx.db.q());
  return rows[0]?.unread ?? 0;
}

/** An inquiry that its seller still can and should answer. */
const needsSeller = (userId: string) => sql<boolean>`(i.status = 'pending' and not ${goneProperty}
  and not exists (select from user_blocks k where k.user_id = ${userId} and k.blocked_id = i.user_id))`;

/** An inquiry with an answer that its buyer has not opened. */
const hasUnread = (userId: string) => sql<boolean>`exists (select from inquiry_messages m
  where m.inquiry_id = i.id and not m.is_read and m.sender_id <> ${userId})`;

/** Messages of an inquiry that this person has not opened; the first text counts for the seller (B-058). */
const unreadOf = (userId: string, side: Side): RawBuilder<number> => sql<number>`(
  (select count(*) from inquiry_messages m
    where m.inquiry_id = i.id and not m.is_read and m.sender_id <> ${userId})
  ${side === 'seller' ? sql`+ (i.opened_at is null)::integer` : sql``})`;

/**
 * The person's conversations, newest first, 30 a page, as buyer or as seller; without `side` sellers see those about
 * their properties and everybody else their own inquiries. 'needs_response' are a seller's pending ones, and a buyer's
 * with unread messages (S0 §2, B-054).
 * @throws Unauthenticated; Forbidden for the seller's side without a seller's record; BadRequest for a cursor that is none
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
  const needs = side === 'seller' ? needsSeller(user.id) : hasUnread(user.id);
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
      // The page first: texts, counts and pictures are looked up for its rows alone.
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
      .select([mainPicture.as('picture'), goneProperty.as('gone'), seenProperty.as('seen')])
      .select(['i.id as inquiry_id', 'i.last_message_at', 'i.status as label', 'i.user_id as buyer_id'])
      .select([sql<string>`left(i.message, ${EXCERPT})`.as('first'), 'newest.text', 'newest.sender_id'])
      .select([
        side === 'seller' ? 'b.name as other' : 'a.name as other',
        unreadOf(user.id, side).as('unread'),
      ])
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
      property: propertyShown(user, side, row, cards[at]),
      other: { name: row.other },
      newest: row.text ?? row.first,
      newestIsMine: (row.sender_id ?? row.buyer_id) === user.id,
      at: row.last_message_at.toISOString(),
      unread: row.unread,
      label: row.label as InquiryLabel,
    })),
    counts,
    before: rows.length > INBOX_PAGE ? (page.at(-1)?.key ?? null) : null,
  };
}

/** What a party may know of the property: all of it for its seller, the price while its page is public for others. */
function propertyShown(
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
 * One conversation with a page of at most 50 messages, oldest first; the first text begins the oldest page (B-051).
 * Reading marks nothing; `markThreadRead` does.
 * @throws Unauthenticated; NotFound for one that is none of the person's; BadRequest for a cursor that is none
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
    property: propertyShown(user, side, found, card),
    other: { name: side === 'buyer' ? found.seller.name : found.buyer.name },
    label: found.label,
    reply: reason ? { allowed: false, reason, text: refusalText[reason] } : { allowed: true },
    blockedByMe: found.blockedByMe,
    reported: report !== undefined,
    ...page,
  };
}
