import type { ReactNode } from 'react';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import type { InboxPage } from '../model.ts';
import { InboxList } from './inbox-list.tsx';

interface Props {
  page: InboxPage;
  /** the open conversation; null when none is */
  children: ReactNode;
}

/** List and conversation beside each other; on narrow screens one of them (look §5 'Inbox'). */
export function InboxView({ page: { inbox, place, thread }, children }: Props) {
  if (inbox.rows.length === 0 && !thread) return <NoInquiries page={{ inbox, place }} />;
  return (
    <div className={thread ? 'inbox inbox-open' : 'inbox'}>
      {inbox.rows.length > 0 ? (
        <InboxList inbox={inbox} place={place} />
      ) : (
        <div className="inbox-list inbox-none">
          <p>{place.filter === 'all' ? 'No inquiries yet.' : 'No inquiry needs a response.'}</p>
        </div>
      )}
      {children ?? (
        <div className="thread thread-none">
          <p>Choose an inquiry to read its messages.</p>
        </div>
      )}
    </div>
  );
}

function NoInquiries({ page: { place } }: { page: Pick<InboxPage, 'inbox' | 'place'> }) {
  if (place.filter === 'needs_response')
    return <EmptyState title="No inquiry needs a response." text="Every buyer has your answer." />;
  if (place.side === 'seller')
    return <EmptyState title="No inquiries yet." text="Questions about your properties appear here." />;
  return (
    <EmptyState
      title="No inquiries yet."
      text="Ask about a property, and the conversation continues here."
      action={
        <ButtonLink to={paths.properties()} variant="outline">
          All Properties
        </ButtonLink>
      }
    />
  );
}
