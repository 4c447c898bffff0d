import { Plus, Users } from 'lucide-react';
import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { CommissionOverview } from '#features/overview/components/commission-overview.tsx';
import { MarketStats } from '#features/overview/components/market-stats.tsx';
import { marketplaceTotals, recentPayouts } from '#features/overview/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/dashboard';
import { ifThere } from './frame.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [totals, payouts] = await Promise.all([
    readOrNull(ctx, () => marketplaceTotals(ctx)),
    readOrNull(ctx, () => recentPayouts(ctx)),
  ]);
  return data({ totals, payouts }, totals && payouts ? undefined : { status: 503 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Admin Dashboard', hidden: true });

const links = {
  sellers: ifThere(adminPaths.sellers()),
  properties: ifThere(adminPaths.properties()),
  sales: ifThere(adminPaths.transactions()),
  newProperty: ifThere(adminPaths.newProperty()),
};

/** The marketplace at a glance. */
export default function AdminDashboard({ loaderData }: Route.ComponentProps) {
  const { totals, payouts } = loaderData;
  const viewer = useSite()?.viewer;
  return (
    <>
      <AreaHead title="Admin Dashboard" actions={<Actions />} />
      {totals ? (
        <MarketStats totals={totals} links={links} />
      ) : (
        <FailedPanel title="The figures could not be loaded." />
      )}
      <CommissionOverview totals={totals} payouts={payouts} />
      {viewer && (
        <div className="hint mt-8">
          <SignedInLine email={viewer.email} accountPath={paths.account()} />
        </div>
      )}
    </>
  );
}

function Actions() {
  return (
    <>
      {links.sellers && (
        <ButtonLink to={links.sellers} variant="outline" icon={Users}>
          Manage Sellers
        </ButtonLink>
      )}
      {links.newProperty && (
        <ButtonLink to={links.newProperty} icon={Plus}>
          Add Property
        </ButtonLink>
      )}
    </>
  );
}
