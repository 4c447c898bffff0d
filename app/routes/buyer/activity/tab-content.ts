import { loadInbox } from '#app/actions/inbox.actions.ts';
import { readOrNull } from '#app/read-or.ts';
import type { InboxPage } from '#features/inquiries/model.ts';
import type { NotificationPage } from '#features/notifications/model.ts';
import { notificationList } from '#features/notifications/reads.ts';
import type { OwnSalesPage } from '#features/sales/model.ts';
import { ownSales } from '#features/sales/reads.ts';
import { type RecentView, recentlyViewed } from '#features/views/reads.ts';
import { type WatchedPage, watchedListings } from '#features/watches/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { ActivityTab } from './tabs.ts';

/** What one tab shows. */
export type TabContent =
  | { tab: 'recent'; views: RecentView[] }
  | { tab: 'watched'; watched: WatchedPage }
  | { tab: 'inquiries'; inbox: InboxPage }
  | { tab: 'notifications'; page: NotificationPage }
  | { tab: 'transactions'; sales: OwnSalesPage };

/**
 * Loads what one tab shows; null when that failed, which is logged and leaves the rest of the page working.
 * @throws AppError for what is refused: an invalid cursor, somebody else's conversation
 */
export const loadTab = (ctx: Ctx, tab: ActivityTab, url: URL): Promise<TabContent | null> =>
  readOrNull(ctx, () => read(ctx, tab, url));

async function read(ctx: Ctx, tab: ActivityTab, url: URL): Promise<TabContent> {
  const before = url.searchParams.get('before');
  switch (tab) {
    case 'recent':
      return { tab, views: await recentlyViewed(ctx) };
    case 'watched':
      return { tab, watched: await watchedListings(ctx, { before }) };
    case 'inquiries':
      return { tab, inbox: await loadInbox(ctx, 'buyer', url) };
    case 'notifications':
      return { tab, page: await notificationList(ctx, { before }) };
    case 'transactions':
      return { tab, sales: await ownSales(ctx, { before }) };
  }
}
