import { Plus, Users } from 'lucide-react';
import { data, useSearchParams } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { ListingDetailsDrawer } from '#app/pages/listings/listing-details-drawer.tsx';
import { loadListingDetails } from '#app/pages/listings/load-listing-details.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { allListingsSorts } from '#features/listing-review/all-listings.ts';
import { allListings } from '#features/listing-review/reads.ts';
import { CommissionOverview } from '#features/overview/components/commission-overview.tsx';
import { MarketStats } from '#features/overview/components/market-stats.tsx';
import { marketplaceTotals, recentPayouts } from '#features/overview/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/dashboard';
import { AllProperties } from './dashboard/all-properties.tsx';
import { ifThere } from './frame.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const query = parseTableQuery(url.searchParams, allListingsSorts);
  const [totals, payouts, listings, details] = await Promise.all([
    readOrNull(ctx, () => marketplaceTotals(ctx)),
    readOrNull(ctx, () => recentPayouts(ctx)),
    readOrNull(ctx, () => allListings(ctx, query)),
    loadListingDetails(ctx, url.searchParams),
  ]);
  const complete = totals && payouts && listings;
  return data({ query, totals, payouts, listings, details }, complete ? undefined : { status: 503 });
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
  const { query, totals, payouts, listings, details } = loaderData;
  const [params] = useSearchParams();
  const viewer = useSite()?.viewer;
  return (
    <>
      <ListingDetailsDrawer
        details={details}
        hrefWith={(changes) => adminPaths.dashboard({ ...Object.fromEntries(params), ...changes })}
      />
      <AreaHead title="Admin Dashboard" actions={<Actions />} />
      {totals ? (
        <MarketStats totals={totals} links={links} />
      ) : (
        <FailedPanel title="The figures could not be loaded." />
      )}
      <CommissionOverview totals={totals} payouts={payouts} salesHref={links.sales} />
      <AllProperties query={query} listings={listings} />
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
