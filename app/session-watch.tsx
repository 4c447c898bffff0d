import { useEffect, useRef } from 'react';
import { useReadAgain } from './read-again.ts';

const CHANNEL = 'acre-session';
/** A tab that was out of sight for this long asks again who is signed in. */
const STALE_MS = 60_000;

/**
 * Keeps every tab of this browser with whoever is signed in (B-025): a tab that learns of a change tells the others, and
 * they read their page again. So does a page taken out of the back-forward store, and one that comes into sight again.
 */
export function SessionWatch({ viewerId }: { viewerId: string | null }) {
  const read = useReadAgain();
  const known = useRef(viewerId);
  const channel = useRef<BroadcastChannel | null>(null);

  useEffect(() => {
    const readAgain = () => void read();
    let hiddenAt = 0;
    const onShow = (event: PageTransitionEvent) => event.persisted && readAgain();
    const onVisibility = () => {
      if (document.hidden) hiddenAt = Date.now();
      else if (hiddenAt && Date.now() - hiddenAt > STALE_MS) readAgain();
    };
    const others = new BroadcastChannel(CHANNEL);
    others.onmessage = ({ data }) => data !== known.current && readAgain();
    channel.current = others;
    addEventListener('pageshow', onShow);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      channel.current = null;
      others.close();
      removeEventListener('pageshow', onShow);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [read]);

  useEffect(() => {
    known.current = viewerId;
    channel.current?.postMessage(viewerId);
  }, [viewerId]);
  return null;
}
