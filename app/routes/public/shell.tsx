import type { ReactNode } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { paths } from '#app/paths.ts';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { PublicShell } from '#app/shell/public-shell.tsx';
import { useSite } from '#app/site.ts';
import { useUnread } from '#app/unread.ts';
import { DEFAULT_BRAND } from '#features/settings/model.ts';
import { PageHead } from '#ui/page-head.tsx';
import { CardGridSkeleton, DetailSkeleton, TextSkeleton } from '#ui/skeleton.tsx';
import type { Route } from './+types/shell';

/** The frame of the public pages. While another page is on its way its skeleton stands in (S0 §2). */
export default function Shell() {
  const { state, location } = useNavigation();
  const here = typeof window === 'undefined' ? null : window.location.pathname;
  const goingTo = state === 'loading' && location.pathname !== here ? location.pathname : null;
  const awaited = goingTo?.startsWith('/propert') || goingTo === paths.buyerActivity();
  return <Frame>{goingTo && awaited ? <Waiting path={goingTo} /> : <Outlet />}</Frame>;
}

function Waiting({ path }: { path: string }) {
  if (path === paths.buyerActivity())
    return (
      <div role="status">
        <PageHead title="My Activity" />
        <span className="vh">Loading your activity...</span>
        <TextSkeleton rows={8} />
      </div>
    );
  return (
    <div className="waiting">{path.startsWith('/property/') ? <DetailSkeleton /> : <CardGridSkeleton />}</div>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const site = useSite();
  const unread = useUnread();
  return (
    <PublicShell
      brand={site?.brand ?? DEFAULT_BRAND}
      types={site?.types ?? []}
      viewer={site?.viewer ?? null}
      unread={unread}
    >
      {children}
    </PublicShell>
  );
}

/** A failing page leaves the navigation standing (B-024). */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const site = useSite();
  return (
    <Frame>
      <ErrorPage error={error} correlationId={site?.requestId} />
    </Frame>
  );
}
