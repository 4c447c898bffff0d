import { startTransition, useEffect } from 'react';
import type { UnreadCounts } from '#features/bell/model.ts';
import { NOTHING_UNREAD } from '#features/bell/rules.ts';
import { useStateFrom } from '#ui/use-state-from.ts';
import { useSite } from '../site.ts';
import { useLiveEvents } from './live-events.ts';

const fetchUnread = () =>
  import('./fetch-unread.ts').then(
    (module) => module.fetchUnread(),
    () => null,
  );

/** The counters of this page. */
const refreshers = new Set<() => void>();

/** Reads the counts of this page again: after the viewer has seen something, without waiting for the live stream. */
export function refreshUnread(): void {
  for (const refresh of refreshers) refresh();
}

/** True for a live event after which something else may be unread. */
export const changesUnread = (type: string): boolean =>
  /^(?:inquiry|notification|saved-search)\./.test(type) || type === 'ready' || type === 'resync';

/**
 * What the viewer has not seen, initially from the page's data and then live. The bell, the tabs and the sidebar all take
 * their numbers from here, so that they never disagree.
 */
export function useUnread(): UnreadCounts {
  const site = useSite();
  const [unread, setUnread] = useStateFrom(site?.unread ?? NOTHING_UNREAD);
  const signedIn = Boolean(site?.viewer);
  useEffect(() => {
    if (!signedIn) return;
    // A transition, because the bell may not be hydrated yet.
    const refresh = () =>
      void fetchUnread().then((counts) => counts && startTransition(() => setUnread(counts)));
    refreshers.add(refresh);
    return () => void refreshers.delete(refresh);
  }, [signedIn, setUnread]);
  useLiveEvents(({ type }) => {
    if (changesUnread(type)) refreshUnread();
  }, signedIn);
  return unread;
}
