import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { useUnread } from '#app/live/unread.ts';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { hasPendingPage } from '#app/shell/pending-path.ts';
import { PublicShell } from '#app/shell/public-shell.tsx';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import type { Route } from './+types/shell';

/** The layout of the public pages. While another page is loading its skeleton is shown, or a spinner. */
export default function Shell() {
  const { state, location } = useNavigation();
  const here = typeof window === 'undefined' ? null : window.location.pathname;
  const pendingPath = state === 'loading' && location.pathname !== here ? location.pathname : null;
  const PendingPage = useSkeletons();
  return (
    <Frame>
      {pendingPath && PendingPage && hasPendingPage(pendingPath) ? (
        <PendingPage path={pendingPath} />
      ) : (
        <Outlet />
      )}
    </Frame>
  );
}

/** The skeletons, which no first view needs, once they are loaded after hydration. */
function useSkeletons(): ComponentType<{ path: string }> | null {
  const [loaded, setLoaded] = useState<ComponentType<{ path: string }> | null>(null);
  useEffect(() => {
    void import('#app/shell/pending-page.tsx').then(
      ({ PendingPage }) => setLoaded(() => PendingPage),
      // Without a connection no page is loading either.
      () => undefined,
    );
  }, []);
  return loaded;
}

function Frame({ children }: { children: ReactNode }) {
  const site = useSite();
  const unread = useUnread();
  return (
    <PublicShell
      brand={site?.brand ?? DEFAULT_BRAND}
      types={site?.types ?? []}
      operator={site?.operator}
      viewer={site?.viewer ?? null}
      unread={unread}
    >
      {children}
    </PublicShell>
  );
}

/** A failing page leaves the navigation in place. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Frame>
      <ErrorPage error={error} />
    </Frame>
  );
}
