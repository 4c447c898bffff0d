import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { adminRows } from '#app/shell/admin-rows.ts';
import { AdminShell } from '#app/shell/admin-shell.tsx';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { sidebarCollapsed } from '#app/shell/sidebar-cookie.ts';
import { guard, refuseOtherRoles } from '#app/sign-in/guard.ts';
import { isNotAvailable, NotAvailable } from '#app/sign-in/not-available.tsx';
import { useSite } from '#app/site.ts';
import { texts } from '#features/accounts/rules.ts';
import { DEFAULT_BRAND } from '#features/settings/model.ts';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [guard('admin')];

export function loader({ request, context }: Route.LoaderArgs) {
  refuseOtherRoles('admin', context);
  return { collapsed: sidebarCollapsed(request.headers.get('cookie')) };
}

export const meta: Route.MetaFunction = ({ error, matches }) =>
  pageMeta(matches, { title: isNotAvailable(error) ? texts.notAvailable : 'Administration', hidden: true });

/** The frame of the back office, for administrators alone. */
export default function BackOffice({ loaderData }: Route.ComponentProps) {
  return (
    <Frame collapsed={loaderData.collapsed}>
      <Outlet />
    </Frame>
  );
}

/** The pages that exist so far. */
const PAGES: readonly string[] = [paths.adminDashboard()];

interface FrameProps {
  collapsed?: boolean;
  empty?: boolean;
  children: ReactNode;
}

function Frame({ collapsed, empty, children }: FrameProps) {
  const site = useSite();
  if (!site?.viewer) return <main id="main">{children}</main>;
  return (
    <AdminShell
      viewer={site.viewer}
      brand={site.brand ?? DEFAULT_BRAND}
      collapsed={collapsed ?? false}
      rows={empty ? [] : adminRows.filter(({ href }) => PAGES.includes(href))}
    >
      {children}
    </AdminShell>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const site = useSite();
  const refused = isNotAvailable(error);
  return (
    <Frame empty={refused}>
      {refused ? <NotAvailable /> : <ErrorPage error={error} correlationId={site?.requestId} />}
    </Frame>
  );
}
