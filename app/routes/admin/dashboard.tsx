import { Plus, Users } from 'lucide-react';
import { data, useSearchParams } from 'react-router';
import {
  type PayoutsExtra,
  payoutIntents,
  payoutMessages,
  preservedPayoutFields,
} from '#app/actions/payouts.actions.ts';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { ListingDetailsDrawer } from '#app/pages/listings/listing-details-drawer.tsx';
import { loadListingDetails } from '#app/pages/listings/load-listing-details.ts';
import { loadPayoutManagement } from '#app/pages/payouts/load-payout-management.ts';
import { PayoutManagement } from '#app/pages/payouts/payout-management.tsx';
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
import { ACTION_NOT_SENT } from '#features/sales/rules.ts';
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
  const [totals, payouts, listings, { details, failed = false }, management] = await Promise.all([
    readOrNull(ctx, () => marketplaceTotals(ctx)),
    readOrNull(ctx, () => recentPayouts(ctx)),
    readOrNull(ctx, () => allListings(ctx, query)),
    loadListingDetails(ctx, url.searchParams),
    loadPayoutManagement(ctx, url.searchParams),
  ]);
  const complete = totals && payouts && listings && management.complete;
  return data(
    { query, totals, payouts, listings, details, management },
    complete && !failed ? undefined : { status: 503 },
  );
}

/** The forms of Payout Management. */
export const action = (args: Route.ActionArgs) =>
  runAction<PayoutsExtra>(args, {
    intents: payoutIntents(adminPaths.dashboard()),
    preserve: preservedPayoutFields,
    messages: payoutMessages,
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('id', 'typedTotal', 'approver', 'reason', 'reference'),
    toast: ACTION_NOT_SENT,
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Admin Dashboard', hidden: true });

const links = {
  sellers: ifThere(adminPaths.sellers()),
  properties: ifThere(adminPaths.properties()),
  sales: ifThere(adminPaths.transactions()),
  featured: ifThere(adminPaths.properties()) && adminPaths.properties({ featured: 1 }),
  newProperty: ifThere(adminPaths.newProperty()),
};

/** The marketplace at a glance. */
export default function AdminDashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { query, totals, payouts, listings, details, management } = loaderData;
  const [params] = useSearchParams();
  const viewer = useSite()?.viewer;
  const hrefWith = (changes: Record<string, string | number | undefined>) =>
    adminPaths.dashboard({ ...Object.fromEntries(params), ...changes });
  return (
    <>
      <ListingDetailsDrawer details={details} hrefWith={hrefWith} />
      <AreaHead title="Admin Dashboard" actions={<Actions />} />
      {totals ? (
        <MarketStats totals={totals} links={links} />
      ) : (
        <FailedPanel title="The figures could not be loaded." />
      )}
      <CommissionOverview totals={totals} payouts={payouts} salesHref={links.sales} />
      <PayoutManagement title="Payout Management" data={management} hrefWith={hrefWith} answer={actionData} />
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
