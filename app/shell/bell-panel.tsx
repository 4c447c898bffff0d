import './bell-panel.css';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useLiveEvents } from '#app/live/live-events.ts';
import { changesUnread, refreshUnread } from '#app/live/unread.ts';
import { BellRows } from '#features/bell/components/bell-rows.tsx';
import { unreadText } from '#features/bell/display.ts';
import { type BellContent, MARK_ALL_FAILED, type UnreadCounts } from '#features/bell/model.ts';
import { totalUnread } from '#features/bell/rules.ts';
import { MARK_READ_FAILED } from '#features/notifications/model.ts';
import { paths } from '#routing/paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { post } from '#ui/post.ts';
import { TextSkeleton } from '#ui/skeleton.tsx';
import { toast } from '#ui/toast.ts';
import type { Viewer } from './viewer.ts';

export interface BellPanelProps {
  role: Viewer['role'];
  /** the counts of the page, which the panel's own never contradict */
  unread: UnreadCounts;
  close: () => void;
}

/** The newest of each kind that the bell counts, kept up to date while it is open. */
export function BellPanel({ role, unread, close }: BellPanelProps) {
  const { content, failed, busy, load } = useBellContent();
  const [marking, setMarking] = useState(false);
  const markable = unread.updates + unread.matches > 0;
  async function markAll() {
    setMarking(true);
    const posted = await post(paths.bell(), new URLSearchParams({ [INTENT]: 'read-all' }));
    setMarking(false);
    if (posted?.ok) changed();
    else toast({ title: 'Error', text: MARK_ALL_FAILED, tone: 'bad' });
  }
  async function markRead(id: string) {
    // Completes although the press also navigates to the property.
    const posted = await post(paths.buyerNotifications(), new URLSearchParams({ [INTENT]: 'read', id }), {
      keepalive: true,
    });
    if (posted?.ok) changed();
    else toast({ title: 'Error', text: MARK_READ_FAILED, tone: 'bad' });
  }
  function changed() {
    refreshUnread();
    void load();
  }
  return (
    <div className="bell-in">
      <div className="bell-head">
        <p className="bell-title">Notifications</p>
        {markable && (
          <Button variant="ghost" size="sm" busy={marking} onClick={() => void markAll()}>
            Mark all as read
          </Button>
        )}
      </div>
      <p className="vh" role="status">
        {totalUnread(unread) > 0 ? unreadText(unread) : 'All read'}
      </p>
      <div className="bell-body">
        {content ? (
          isEmpty(content) ? (
            <EmptyState
              bare
              title="Nothing new"
              text="Messages, changes of watched properties and matches of saved searches appear here."
            />
          ) : (
            <BellRows content={content} counts={unread} role={role} onRead={(id) => void markRead(id)} />
          )
        ) : failed ? (
          <ErrorState title="Failed to load notifications" retry={{ busy, onRetry: () => void load() }} />
        ) : (
          <div role="status" className="bell-wait">
            <span className="vh">Loading notifications...</span>
            <TextSkeleton rows={6} />
          </div>
        )}
      </div>
      <div className="bell-foot">
        {unread.messages + unread.inquiries > 0 && (
          <p className="hint">Messages stay unread until you open them.</p>
        )}
        <Link className="link" to={paths.activity(role, { tab: 'notifications' })} onClick={close}>
          All notifications
        </Link>
      </div>
    </div>
  );
}

const isEmpty = ({ inquiries, messages, updates, matches }: BellContent): boolean =>
  inquiries.length + messages.length + updates.length + matches.length === 0;

/** What the panel lists: null until it is loaded; `failed` when there is nothing to show because loading failed. */
function useBellContent() {
  const [content, setContent] = useState<BellContent | null>(null);
  const [failed, setFailed] = useState(false);
  const [busy, setBusy] = useState(false);
  const latestRequest = useRef(0);
  const load = useCallback(async () => {
    latestRequest.current += 1;
    const requestId = latestRequest.current;
    setBusy(true);
    const answer = await getContent();
    if (requestId !== latestRequest.current) return;
    setBusy(false);
    setFailed(answer === null);
    // What is shown stays while the server cannot be reached.
    if (answer) setContent(answer);
  }, []);
  useEffect(() => void load(), [load]);
  useLiveEvents(({ type }) => {
    if (changesUnread(type)) void load();
  });
  return { content, failed, busy, load };
}

async function getContent(): Promise<BellContent | null> {
  const headers = { accept: 'application/json' };
  const response = await fetch(paths.bell(), { headers }).catch(() => null);
  return response?.ok ? response.json().catch(() => null) : null;
}
