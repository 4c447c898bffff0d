import { useCallback, useEffect, useRef, useState } from 'react';
import { useLiveEvents } from '#app/live/live-events.ts';
import { refreshUnread } from '#app/live/unread.ts';
import { MARK_READ_FAILED, type NotificationPage } from '#features/notifications/model.ts';
import { paths } from '#routing/paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { post } from '#ui/post.ts';
import { toast } from '#ui/toast.ts';

/** How often an open list is refreshed in case the live stream fails, in milliseconds. */
const REFRESH_MS = 30_000;
const REFRESHING_EVENTS = ['notification.new', 'notification.gone', 'notification.read', 'ready', 'resync'];

interface LoadedNotifications {
  /** null on the other tabs, and when loading failed */
  page: NotificationPage | null;
  /** cursor from the URL; null for the newest */
  before: string | null;
  /** true while the notifications tab is open */
  open: boolean;
}

interface LiveNotifications {
  page: NotificationPage | null;
  unread: number;
  /** true while a retry is running */
  busy: boolean;
  retry: () => void;
  markRead: (id: string) => void;
  markAllRead: () => void;
}

/**
 * The notifications of an open page, kept up to date by live events, and every 30 seconds while the list is visible.
 * Marking as read is optimistic and rolled back when the server refuses. A lost connection keeps what is shown.
 */
export function useLiveNotifications(loaded: LoadedNotifications): LiveNotifications {
  const { before, open } = loaded;
  const [fresh, setFresh] = useState<{ base: LoadedNotifications; page: NotificationPage } | null>(null);
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const latestRequest = useRef(0);

  const refetch = useCallback(async () => {
    latestRequest.current += 1;
    const requestId = latestRequest.current;
    const page = await getPage(before);
    if (page && requestId === latestRequest.current) setFresh({ base: loaded, page });
  }, [loaded, before]);

  useLiveEvents(({ type }) => {
    if (REFRESHING_EVENTS.includes(type)) void refetch();
  }, open);
  useEffect(() => {
    if (!open) return;
    const ifVisible = () => document.hidden || void refetch();
    const timer = setInterval(ifVisible, REFRESH_MS);
    document.addEventListener('visibilitychange', ifVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ifVisible);
    };
  }, [open, refetch]);

  const known = fresh?.base === loaded ? fresh.page : null;
  const page = open ? (known ?? loaded.page) : null;
  const rows = page?.rows.map((row) => (read.has(row.id) ? { ...row, isRead: true } : row)) ?? [];
  const marked = page?.rows.filter((row) => !row.isRead && read.has(row.id)).length ?? 0;
  const unread = Math.max(0, (known?.unread ?? loaded.page?.unread ?? 0) - marked);

  /** Shows them as read, and rolls back when the server could not save it. */
  async function mark(ids: readonly string[], fields: Record<string, string>) {
    setRead((all) => new Set([...all, ...ids]));
    // Completes although a click on a notification also navigates to its property.
    const posted = await post(paths.buyerNotifications(), new URLSearchParams(fields), { keepalive: true });
    if (posted?.ok) {
      refreshUnread();
      return refetch();
    }
    setRead((all) => new Set([...all].filter((id) => !ids.includes(id))));
    toast({ title: 'Error', text: MARK_READ_FAILED, tone: 'bad' });
  }
  const unreadIds = rows.flatMap((row) => (row.isRead ? [] : [row.id]));
  return {
    page: page && { ...page, rows },
    unread,
    busy,
    retry() {
      setBusy(true);
      void refetch().finally(() => setBusy(false));
    },
    markRead: (id) => void (unreadIds.includes(id) && mark([id], { [INTENT]: 'read', id })),
    markAllRead: () => void mark(unreadIds, { [INTENT]: 'read-all' }),
  };
}

async function getPage(before: string | null): Promise<NotificationPage | null> {
  const response = await fetch(paths.buyerNotifications({ before: before ?? undefined }), {
    headers: { accept: 'application/json' },
  }).catch(() => null);
  return response?.ok ? response.json().catch(() => null) : null;
}
