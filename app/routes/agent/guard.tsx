import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { useUnread } from '#app/live/unread.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOr } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { refuseOtherRoles, requireRole } from '#app/role-guard.ts';
import { AreaContent } from '#app/shell/area-content.tsx';
import { AreaError } from '#app/shell/area-error.tsx';
import { isNotAvailable } from '#app/shell/not-available.tsx';
import { SellerShell } from '#app/shell/seller-shell.tsx';
import { useSite } from '#app/site.ts';
import { accountMessages } from '#features/accounts/rules.ts';
import { NoticeList } from '#features/notices/components/notice-list.tsx';
import { openNotices } from '#features/notices/reads.ts';
import { SuspendedNotice } from '#features/sellers/components/suspended-notice.tsx';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [requireRole('agent')];

export async function loader({ context }: Route.LoaderArgs) {
  refuseOtherRoles('agent', context);
  const ctx = getCtx(context);
  const { actor } = ctx;
  return {
    suspended: actor.kind === 'user' && actor.suspended,
    notices: await readOr(ctx, [], () => openNotices(ctx)),
  };
}

export const meta: Route.MetaFunction = ({ error, matches }) =>
  pageMeta(matches, {
    title: isNotAvailable(error) ? accountMessages.notAvailable : 'Seller area',
    hidden: true,
  });

/** The layout of the seller area, for sellers only. */
export default function SellerArea({ loaderData }: Route.ComponentProps) {
  const revalidate = useRevalidate();
  useLiveEvents(({ type }) => {
    if (type === 'account' || type === 'resync') void revalidate();
  });
  return (
    <Frame>
      {loaderData.suspended && <SuspendedNotice />}
      <NoticeList notices={loaderData.notices} />
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
