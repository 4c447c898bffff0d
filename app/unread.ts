import { useEffect, useState } from 'react';
import { useLiveEvents } from './live-events.ts';
import { paths } from './paths.ts';
import { useSite } from './site.ts';

/** Several counts on one page, and events that come together, ask once. */
const TOGETHER_MS = 20;
let asking: Promise<number | null> | null = null;

const askUnread = (): Promise<number | null> => {
  asking ??= new Promise((resolve) => setTimeout(resolve, TOGETHER_MS)).then(async () => {
    asking = null;
    try {
      const answer = await fetch(paths.unread());
      return answer.ok ? ((await answer.json()) as { unread: number }).unread : null;
    } catch {
      // Without a connection the count stays; the stream tells when it is back.
      return null;
    }
  });
  return asking;
};

/** The viewer's unread messages, as the page was loaded with and then live (B-017); 0 for people without a bell. */
export function useUnread(): number {
  const site = useSite();
  const [unread, setUnread] = useState(site?.unread ?? 0);
  useEffect(() => setUnread(site?.unread ?? 0), [site]);
  const role = site?.viewer?.role;
  useLiveEvents(
    ({ type }) => {
      if (!type.startsWith('inquiry.') && type !== 'ready' && type !== 'resync') return;
      void askUnread().then((count) => count !== null && setUnread(count));
    },
    role === 'buyer' || role === 'agent',
  );
  return unread;
}
