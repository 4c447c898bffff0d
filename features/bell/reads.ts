import { inbox, pendingInquiryCount, unreadMessageCount } from '#features/inquiries/reads.ts';
import { notificationList, unreadNotifications } from '#features/notifications/reads.ts';
import type { SavedSearch, SavedSearchMatch } from '#features/saved-searches/model.ts';
import { newMatchCount, savedSearches } from '#features/saved-searches/reads.ts';
import { authorize, sellerOf } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';
import { BELL_ROWS, type BellContent, type UnreadCounts } from './model.ts';
import { mayCountUnread, NOTHING_UNREAD } from './rules.ts';

/**
 * How much of each kind the user has not seen; zero, without a query, for visitors. A kind that cannot be read counts as
 * zero and is logged, because every page shows the bell.
 */
export async function unreadCounts(ctx: Ctx): Promise<UnreadCounts> {
  authorize(ctx, mayCountUnread);
  if (ctx.actor.kind !== 'user') return NOTHING_UNREAD;
  const [inquiries, messages, updates, matches] = await Promise.all([
    zeroOnFailure(ctx, 'inquiries', () => pendingInquiryCount(ctx)),
    zeroOnFailure(ctx, 'messages', () => unreadMessageCount(ctx)),
    zeroOnFailure(ctx, 'updates', () => unreadNotifications(ctx)),
    zeroOnFailure(ctx, 'matches', () => newMatchCount(ctx)),
  ]);
  return { inquiries, messages, updates, matches };
}

async function zeroOnFailure(
  ctx: Ctx,
  kind: keyof UnreadCounts,
  read: () => Promise<number>,
): Promise<number> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof AppError) throw error;
    ctx.log.error({ err: error, kind }, 'what the bell counts could not be read');
    return 0;
  }
}

/**
 * The newest of each kind, at most five, with the counts.
 * @throws Unauthenticated
 */
export async function bellContent(ctx: Ctx): Promise<BellContent> {
  const waiting = (side: 'buyer' | 'seller') => inbox(ctx, { side, filter: 'needs_response' });
  const [counts, inquiries, messages, updates, searches] = await Promise.all([
    unreadCounts(ctx),
    sellerOf(ctx.actor) ? waiting('seller') : { rows: [] },
    waiting('buyer'),
    notificationList(ctx),
    savedSearches(ctx),
  ]);
  return {
    counts,
    inquiries: inquiries.rows.slice(0, BELL_ROWS),
    messages: messages.rows.slice(0, BELL_ROWS),
    updates: updates.rows.slice(0, BELL_ROWS),
    matches: newMatches(searches).slice(0, BELL_ROWS),
  };
}

/** The new matches of all searches, newest first, each listing once. */
function newMatches(searches: readonly SavedSearch[]): SavedSearchMatch[] {
  const byProperty = new Map<string, SavedSearchMatch>();
  for (const match of searches.flatMap(({ matches }) => matches))
    if (match.isNew && !byProperty.has(match.propertyId)) byProperty.set(match.propertyId, match);
  return [...byProperty.values()].sort((one, other) => other.matchedAt.localeCompare(one.matchedAt));
}
