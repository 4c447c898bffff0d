import { useRevalidator } from 'react-router';
import { InboxRoute } from '#app/inquiries/inbox-route.tsx';
import type { InboxAnswer } from '#features/inquiries/model.ts';
import { NotificationList } from '#features/notifications/components/notification-list.tsx';
import { OwnSales } from '#features/purchases/components/own-sales.tsx';
import { SavedSearches } from '#features/saved-searches/components/saved-searches.tsx';
import { RecentlyViewed } from '#features/views/components/recently-viewed.tsx';
import { WatchedProperties } from '#features/watches/components/watched-properties.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/panel.tsx';
import type { useLiveNotifications } from './live-notifications.ts';
import type { TabContent } from './tab-content.ts';

interface Props {
  content: TabContent | null;
  /** what the reply form of a conversation was answered */
  answer: InboxAnswer | undefined;
  /** true when the newest are not shown */
  older: boolean;
}

/** What a tab shows that is read with its page, or that it could not be read. */
export function ActivityContent({ content, answer, older }: Props) {
  switch (content?.tab) {
    case 'recent':
      return <RecentlyViewed views={content.views} />;
    case 'watched':
      return (
        <>
          <WatchedProperties {...content.watched} older={older} />
          <SavedSearches searches={content.searches} />
        </>
      );
    case 'inquiries':
      return <InboxRoute loaded={content.inbox} answer={answer} />;
    case 'transactions':
      return <OwnSales sales={content.sales} older={older} />;
    default:
      return <Failed />;
  }
}

/** The live list (S0 §2); it reads itself again when its page could not. */
export function Notifications({
  live,
  older,
}: {
  live: ReturnType<typeof useLiveNotifications>;
  older: boolean;
}) {
  const { page, unread, busy, retry, markRead, markAllRead } = live;
  return (
    <Panel title="Property Notifications" className="mt-0!">
      {page ? (
        <NotificationList
          page={page}
          unread={unread}
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

function Failed() {
  const { revalidate, state } = useRevalidator();
  return (
    <section className="panel mt-0!" aria-label="Not loaded">
      <ErrorState
        title="This part could not be loaded"
        detail="The rest of your activity is there. Please try again."
        retry={{ busy: state === 'loading', onRetry: () => void revalidate() }}
      />
    </section>
  );
}
