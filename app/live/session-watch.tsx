import { useCallback, useEffect, useRef } from 'react';
import { MINUTE } from '#platform/durations.ts';
import { paths } from '#routing/paths.ts';
import { mayHaveMissed, useLiveEvents } from './live-events.ts';
import { useRevalidate } from './revalidate.ts';

const CHANNEL = 'acre-session';
/** A tab that was hidden for this long checks again who is signed in. */
const STALE_MS = MINUTE;

/**
 * Keeps every tab of this browser in sync with who is signed in: a tab that notices a change notifies the others, and
 * they revalidate. So does a page restored from the back/forward cache. One that becomes visible again after a while asks who
 * is signed in, as one does whose event stream begins, or announces that a session has ended elsewhere, or expired; it revalidates
 * when that has changed, and otherwise keeps what it shows only once, such as a secret that somebody has just copied to another app.
 */
export function SessionWatch({ viewerId }: { viewerId: string | null }) {
  const revalidate = useRevalidate();
  const known = useRef(viewerId);
  const channel = useRef<BroadcastChannel | null>(null);
  const check = useCallback(async () => {
    const viewer = await fetchViewer();
    if (viewer !== undefined && viewer !== known.current) await revalidate();
  }, [revalidate]);

  useLiveEvents((message) => {
    // A session that ended while the page was loaded has a visitor's stream, which is never told of it.
    if (message.type === 'session' || mayHaveMissed(message)) void check();
  }, viewerId !== null);

  useEffect(() => {
    const refresh = () => void revalidate();
    let hiddenAt = 0;
    const onShow = (event: PageTransitionEvent) => event.persisted && refresh();
    const onVisibility = () => {
      if (document.hidden) hiddenAt = Date.now();
      else if (hiddenAt && Date.now() - hiddenAt > STALE_MS) void check();
    };
    const others = new BroadcastChannel(CHANNEL);
    others.onmessage = ({ data }) => data !== known.current && refresh();
    channel.current = others;
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener('pageshow', onShow, { signal });
    document.addEventListener('visibilitychange', onVisibility, { signal });
    return () => {
      channel.current = null;
      others.close();
      listening.abort();
    };
  }, [revalidate, check]);

  useEffect(() => {
    known.current = viewerId;
    channel.current?.postMessage(viewerId);
  }, [viewerId]);
  return null;
}

/** The id of who is signed in, null for nobody, undefined while the server cannot tell. */
const fetchViewer = (): Promise<string | null | undefined> =>
  fetch(paths.session(), { cache: 'no-store' })
    .then(async (answer) =>
      answer.ok ? ((await answer.json()) as { viewer: string | null }).viewer : undefined,
    )
    .catch(() => undefined);
