import { Outlet } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOr } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { requireRole } from '#app/role-guard.ts';
import { NO_WORK } from '#app/shell/admin-rows.ts';
import { AreaContent } from '#app/shell/area-content.tsx';
import { AreaError } from '#app/shell/area-error.tsx';
import { FreshProof } from '#app/shell/fresh-proof.tsx';
import { isNotAvailable } from '#app/shell/not-available.tsx';
import { sidebarCollapsed } from '#app/shell/sidebar-cookie.ts';
import { accountMessages } from '#features/accounts/rules.ts';
import { waitingWork } from '#features/overview/reads.ts';
import { StripeTestBanner } from '#features/payment-settings/components/stripe-test-banner.tsx';
import { stripeInTestMode } from '#features/payment-settings/reads.ts';
import type { Route } from './+types/guard';
import { AdminFrame } from './frame.tsx';

export const middleware: Route.MiddlewareFunction[] = [requireRole('admin')];

/** What the layout shows; its reads refuse every other role. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  return {
    collapsed: sidebarCollapsed(request.headers.get('cookie')),
    // Pages do not depend on their badges.
    work: await readOr(ctx, NO_WORK, () => waitingWork(ctx)),
    stripeTestMode: stripeInTestMode(ctx),
  };
}

export const meta: Route.MetaFunction = ({ error, matches }) =>
  pageMeta(matches, {
    title: isNotAvailable(error) ? accountMessages.notAvailable : 'Administration',
    hidden: true,
  });

/** The layout of the admin area, for administrators only. */
export default function AdminArea({ loaderData }: Route.ComponentProps) {
  return (
    <AdminFrame collapsed={loaderData.collapsed} work={loaderData.work}>
      <AreaContent>
        {loaderData.stripeTestMode && <StripeTestBanner />}
        <Outlet />
      </AreaContent>
      <FreshProof />
    </AdminFrame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <AdminFrame collapsed={loaderData?.collapsed} work={loaderData?.work} empty={isNotAvailable(error)}>
      <AreaError error={error} />
    </AdminFrame>
  );
}
