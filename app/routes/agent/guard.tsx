import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { useUnread } from '#app/live/unread.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { refuseOtherRoles, requireRole } from '#app/role-guard.ts';
import { AreaContent } from '#app/shell/area-content.tsx';
import { AreaError } from '#app/shell/area-error.tsx';
import { isNotAvailable } from '#app/shell/not-available.tsx';
import { SellerShell } from '#app/shell/seller-shell.tsx';
import { useSite } from '#app/site.ts';
import { accountMessages } from '#features/accounts/rules.ts';
import { SuspendedNotice } from '#features/sellers/components/suspended-notice.tsx';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [requireRole('agent')];

export function loader({ context }: Route.LoaderArgs) {
  refuseOtherRoles('agent', context);
  const { actor } = getCtx(context);
  return { suspended: actor.kind === 'user' && actor.suspended };
}

export const meta: Route.MetaFunction = ({ error, matches }) =>
  pageMeta(matches, {
    title: isNotAvailable(error) ? accountMessages.notAvailable : 'Seller area',
    hidden: true,
  });

/** The layout of the seller area, for sellers only. */
export default function SellerArea({ loaderData }: Route.ComponentProps) {
  return (
    <Frame>
      {loaderData.suspended && <SuspendedNotice />}
      <AreaContent>
        <Outlet />
      </AreaContent>
    </Frame>
  );
}

function Frame({ empty, children }: { empty?: boolean; children: ReactNode }) {
  const site = useSite();
  const unread = useUnread();
  return (
    <SellerShell
      brand={site?.brand ?? DEFAULT_BRAND}
      types={site?.types ?? []}
      viewer={site?.viewer ?? null}
      unread={unread}
      rows={empty ? [] : undefined}
    >
      {children}
    </SellerShell>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Frame empty={isNotAvailable(error)}>
      <AreaError error={error} />
    </Frame>
  );
}
