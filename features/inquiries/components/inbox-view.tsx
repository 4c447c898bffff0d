import type { ReactNode } from 'react';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import type { InboxPage } from '../model.ts';
import { InboxList } from './inbox-list.tsx';

interface Props {
  page: InboxPage;
  /** the open conversation, or null */
  children: ReactNode;
}

/** List and conversation side by side; on narrow screens only one of them. */
export function InboxView({ page: { inbox, urlState, thread }, children }: Props) {
  if (inbox.rows.length === 0 && !thread) return <NoInquiries page={{ inbox, urlState }} />;
  return (
    <div className={thread ? 'inbox inbox-open' : 'inbox'}>
      {inbox.rows.length > 0 ? (
        <InboxList inbox={inbox} urlState={urlState} />
      ) : (
        <div className="inbox-list inbox-none">
          <p>{urlState.filter === 'all' ? 'No inquiries yet.' : 'No inquiry needs a response.'}</p>
        </div>
      )}
      {children ?? (
        <div className="thread thread-none">
          <p>Select an inquiry to read its messages.</p>
        </div>
      )}
    </div>
  );
}

function NoInquiries({ page: { urlState } }: { page: Pick<InboxPage, 'inbox' | 'urlState'> }) {
  if (urlState.filter === 'needs_response')
    return <EmptyState title="No inquiry needs a response." text="You have answered every buyer." />;
  if (urlState.side === 'seller')
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
