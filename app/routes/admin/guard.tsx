import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { refuseOtherRoles, requireRole } from '#app/role-guard.ts';
import { adminRows } from '#app/shell/admin-rows.ts';
import { AdminShell } from '#app/shell/admin-shell.tsx';
import { AreaError } from '#app/shell/area-error.tsx';
import { isNotAvailable } from '#app/shell/not-available.tsx';
import { sidebarCollapsed } from '#app/shell/sidebar-cookie.ts';
import { useSite } from '#app/site.ts';
import { accountMessages } from '#features/accounts/rules.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import { paths } from '#routing/paths.ts';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [requireRole('admin')];

export function loader({ request, context }: Route.LoaderArgs) {
  refuseOtherRoles('admin', context);
  return { collapsed: sidebarCollapsed(request.headers.get('cookie')) };
}

export const meta: Route.MetaFunction = ({ error, matches }) =>
  pageMeta(matches, {
    title: isNotAvailable(error) ? accountMessages.notAvailable : 'Administration',
    hidden: true,
  });

/** The layout of the admin area, for administrators only. */
export default function AdminArea({ loaderData }: Route.ComponentProps) {
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
  return (
    <Frame empty={isNotAvailable(error)}>
      <AreaError error={error} />
    </Frame>
  );
}
