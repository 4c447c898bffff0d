import { useEffect } from 'react';
import { followTheme } from '#app/shell/follow-theme.ts';
import { NotificationToasts } from './notification-toasts.tsx';
import { SessionWatch } from './session-watch.tsx';

/** What every page listens to: the theme, the session of other tabs and, signed in, the viewer's notifications. */
export function PageListeners({ viewerId }: { viewerId: string | null }) {
  useEffect(followTheme, []);
  return (
    <>
      {viewerId && <NotificationToasts />}
      <SessionWatch viewerId={viewerId} />
    </>
  );
}
