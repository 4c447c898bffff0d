import { LiveInbox } from '#app/pages/inquiries/live-inbox.tsx';
import { NotificationList } from '#features/notifications/components/notification-list.tsx';
import { OwnSales } from '#features/sales/components/own-sales-table.tsx';
import { RecentlyViewed } from '#features/views/components/recently-viewed.tsx';
import { WatchedProperties } from '#features/watches/components/watched-properties.tsx';
import type { Role } from '#platform/context.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ErrorState } from '#ui/error-state.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { Panel } from '#ui/panel.tsx';
import type { useLiveNotifications } from './live-notifications.ts';
import type { TabContent } from './tab-content.ts';

interface Props {
  content: TabContent | null;
  role: Role;
  /** result of the conversation's reply form */
  answer: ActionData | undefined;
  /** true when an older page is shown instead of the newest */
  older: boolean;
}

/** The content of a tab that is loaded with the page, or an error state when loading failed. */
export function ActivityContent({ content, role, answer, older }: Props) {
  switch (content?.tab) {
    case 'recent':
      return <RecentlyViewed views={content.views} />;
    case 'watched':
      return <WatchedProperties {...content.watched} older={older} role={role} />;
    case 'inquiries':
      return <LiveInbox loaded={content.inbox} answer={answer} />;
    case 'transactions':
      return <OwnSales sales={content.sales} older={older} />;
    default:
      return (
        <FailedPanel
          title="This section could not be loaded"
          detail="The rest of your activity is available. Please try again."
        />
      );
  }
}

/** The live list of notifications; offers a retry when it could not be loaded with the page. */
export function Notifications({
  live,
  role,
  older,
}: {
  live: ReturnType<typeof useLiveNotifications>;
  role: Role;
  older: boolean;
}) {
  const { page, unread, busy, retry, markRead, markAllRead } = live;
  return (
    <Panel title="Property Notifications" className="mt-0!">
      {page ? (
        <NotificationList
          page={page}
          unread={unread}
          role={role}
          older={older}
          onRead={markRead}
          onAllRead={markAllRead}
        />
      ) : (
        <ErrorState title="Failed to load notifications" retry={{ busy, onRetry: retry }} />
      )}
    </Panel>
  );
}
