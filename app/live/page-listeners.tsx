import { useEffect } from 'react';
import { followTheme } from '#app/shell/follow-theme.ts';
import { ignoreInterrupted } from './interrupted-answers.ts';
import { NavigationFocus } from './navigation-focus.tsx';
import { NotificationToasts } from './notification-toasts.tsx';
import { stayWhenOffline } from './offline-message.ts';
import { SessionWatch } from './session-watch.tsx';

/** What every page listens to: the theme, the connection, interrupted answers, navigations, the session of other tabs and, signed in, the viewer's notifications. */
export function PageListeners({ viewerId }: { viewerId: string | null }) {
  useEffect(followTheme, []);
  useEffect(stayWhenOffline, []);
  useEffect(ignoreInterrupted, []);
  return (
    <>
      {viewerId && <NotificationToasts />}
      <NavigationFocus />
      <SessionWatch viewerId={viewerId} />
    </>
  );
}
