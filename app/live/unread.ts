import { useEffect, useState } from 'react';
import { useSite } from '../site.ts';
import { useLiveEvents } from './live-events.ts';

const fetchUnread = () =>
  import('./fetch-unread.ts').then(
    (module) => module.fetchUnread(),
    () => null,
  );

/** The viewer's unread message count, initially from the page's data and then live; 0 for roles without a bell. */
export function useUnread(): number {
  const site = useSite();
  const [unread, setUnread] = useState(site?.unread ?? 0);
  useEffect(() => setUnread(site?.unread ?? 0), [site]);
  const role = site?.viewer?.role;
  useLiveEvents(
    ({ type }) => {
      if (!type.startsWith('inquiry.') && type !== 'ready' && type !== 'resync') return;
      void fetchUnread().then((count) => count !== null && setUnread(count));
    },
    role === 'buyer' || role === 'agent',
  );
  return unread;
}
