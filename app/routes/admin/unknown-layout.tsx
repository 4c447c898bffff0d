import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { AreaError } from '#app/shell/area-error.tsx';
import { BareShell } from '#app/shell/bare-shell.tsx';
import { sidebarCollapsed } from '#app/shell/sidebar-cookie.ts';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import type { Route } from './+types/unknown-layout';
import { AdminFrame } from './frame.tsx';

export const loader = ({ request }: Route.LoaderArgs) => ({
  collapsed: sidebarCollapsed(request.headers.get('cookie')),
});

/** The layout of unknown admin pages: the sidebar for administrators, no navigation for everybody else. */
export default function UnknownAdminPage({ loaderData }: Route.ComponentProps) {
  return (
    <Frame collapsed={loaderData.collapsed}>
      <Outlet />
    </Frame>
  );
}

function Frame({ collapsed, children }: { collapsed?: boolean | undefined; children: ReactNode }) {
  const site = useSite();
  if (site?.viewer?.role === 'admin') return <AdminFrame collapsed={collapsed}>{children}</AdminFrame>;
  return <BareShell brand={site?.brand ?? DEFAULT_BRAND}>{children}</BareShell>;
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Frame collapsed={loaderData?.collapsed}>
      <AreaError error={error} />
    </Frame>
  );
}
