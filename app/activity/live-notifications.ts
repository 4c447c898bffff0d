import { useCallback, useEffect, useRef, useState } from 'react';
import { useLiveEvents } from '#app/live-events.ts';
import { paths } from '#app/paths.ts';
import { MARK_READ_FAILED, type NotificationPage } from '#features/notifications/model.ts';
import { toast } from '#ui/toast.ts';

/** How often an open list is read again should the live stream fail (S0 §7), in milliseconds. */
const EVERY = 30_000;
const NEWS = ['notification.new', 'notification.gone', 'notification.read', 'ready', 'resync'];

export interface Loaded {
  /** null on the other tabs, and when it could not be read */
  page: NotificationPage | null;
  unread: number | null;
  /** what the address asks for: null for the newest */
  before: string | null;
  /** true while the list is what is looked at */
  open: boolean;
}

interface Live {
  page: NotificationPage | null;
  unread: number;
  /** true while it is being read again because somebody asked */
  busy: boolean;
  retry: () => void;
  markRead: (id: string) => void;
  markAllRead: () => void;
}

/**
 * The notifications of an open page, kept current: by live events, and every 30 seconds while the list is in sight
 * (B-221). A mark shows at once and is taken back when it could not be kept. What a lost connection prevents is only
 * the next reading; what is shown stays.
 */
export function useLiveNotifications(loaded: Loaded): Live {
  const { before, open } = loaded;
  const [fresh, setFresh] = useState<{ over: Loaded; page: NotificationPage } | null>(null);
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const newest = useRef(0);

  const refetch = useCallback(async () => {
    newest.current += 1;
    const turn = newest.current;
    const page = await getPage(before);
    if (page && turn === newest.current) setFresh({ over: loaded, page });
  }, [loaded, before]);

  useLiveEvents(({ type }) => {
    if (NEWS.includes(type)) void refetch();
  });
  useEffect(() => {
    if (!open) return;
    const ifSeen = () => document.hidden || void refetch();
    const timer = setInterval(ifSeen, EVERY);
    document.addEventListener('visibilitychange', ifSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ifSeen);
    };
  }, [open, refetch]);

  const known = fresh?.over === loaded ? fresh.page : null;
  const page = open ? (known ?? loaded.page) : null;
  const rows = page?.rows.map((row) => (read.has(row.id) ? { ...row, isRead: true } : row)) ?? [];
  const marked = page?.rows.filter((row) => !row.isRead && read.has(row.id)).length ?? 0;
  const unread = Math.max(0, (known?.unread ?? loaded.page?.unread ?? loaded.unread ?? 0) - marked);

  /** Shows them as read, and takes it back when the server could not keep it. */
  async function mark(ids: readonly string[], wish: Record<string, string>) {
    setRead((all) => new Set([...all, ...ids]));
    if (await post(wish)) return refetch();
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
    markRead: (id) => void (unreadIds.includes(id) && mark([id], { id })),
    markAllRead: () => void mark(unreadIds, { all: '1' }),
  };
}

const asked = { accept: 'application/json' };

async function getPage(before: string | null): Promise<NotificationPage | null> {
  const response = await fetch(paths.buyerNotifications({ before: before ?? undefined }), {
    headers: asked,
  }).catch(() => null);
  return response?.ok ? response.json().catch(() => null) : null;
}

/** Goes on when its page is left: the property is opened at the same time. */
async function post(wish: Record<string, string>): Promise<boolean> {
  const body = new URLSearchParams(wish);
  const sent = fetch(paths.buyerNotifications(), { method: 'POST', headers: asked, body, keepalive: true });
  return sent.then(
    ({ ok }) => ok,
    () => false,
  );
}
