import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { SellerShell } from '#app/shell/seller-shell.tsx';
import { guard, refuseOtherRoles } from '#app/sign-in/guard.ts';
import { isNotAvailable, NotAvailable } from '#app/sign-in/not-available.tsx';
import { useSite } from '#app/site.ts';
import { useUnread } from '#app/unread.ts';
import { texts } from '#features/accounts/rules.ts';
import { Suspended } from '#features/sellers/components/suspended.tsx';
import { DEFAULT_BRAND } from '#features/settings/model.ts';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [guard('agent')];

export function loader({ context }: Route.LoaderArgs) {
  refuseOtherRoles('agent', context);
  const { actor } = getCtx(context);
  return { suspended: actor.kind === 'user' && actor.suspended };
}

export const meta: Route.MetaFunction = ({ error, matches }) =>
  pageMeta(matches, { title: isNotAvailable(error) ? texts.notAvailable : 'Seller area', hidden: true });

/** The frame of the seller's area, for sellers alone. */
export default function SellerArea({ loaderData }: Route.ComponentProps) {
  return (
    <Frame>
      {loaderData.suspended && <Suspended />}
      <Outlet />
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
  const site = useSite();
  const refused = isNotAvailable(error);
  return (
    <Frame empty={refused}>
      {refused ? <NotAvailable /> : <ErrorPage error={error} correlationId={site?.requestId} />}
    </Frame>
  );
}
