import { Outlet } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { refuseOtherRoles, requireRole } from '#app/role-guard.ts';
import { AreaContent } from '#app/shell/area-content.tsx';
import { AreaError } from '#app/shell/area-error.tsx';
import { FreshProof } from '#app/shell/fresh-proof.tsx';
import { isNotAvailable } from '#app/shell/not-available.tsx';
import { sidebarCollapsed } from '#app/shell/sidebar-cookie.ts';
import { accountMessages } from '#features/accounts/rules.ts';
import type { Route } from './+types/guard';
import { AdminFrame } from './frame.tsx';

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
    <AdminFrame collapsed={loaderData.collapsed}>
      <AreaContent>
        <Outlet />
      </AreaContent>
      <FreshProof />
    </AdminFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <AdminFrame empty={isNotAvailable(error)}>
      <AreaError error={error} />
    </AdminFrame>
  );
}
