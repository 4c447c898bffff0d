import { Check, Clock, Hourglass, House, Plus } from 'lucide-react';
import { data, useSearchParams } from 'react-router';
import { handleFeatured } from '#app/actions/featured.actions.ts';
import { runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { ListingDetailsDrawer } from '#app/pages/listings/listing-details-drawer.tsx';
import { loadListingDetails } from '#app/pages/listings/load-listing-details.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { allListingsSorts } from '#features/listing-review/all-listings.ts';
import { SET_FEATURED } from '#features/listing-review/components/featured-toggle.tsx';
import { allListings, type ListingCounts, listingCounts } from '#features/listing-review/reads.ts';
import { featuredMessages } from '#features/listing-review/rules.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { Route } from './+types/properties';
import { AllTab, parseStatus } from './properties/all-tab.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const params = url.searchParams;
  const query = {
    ...parseTableQuery(params, allListingsSorts),
    status: parseStatus(params.get('status')),
  };
  const [counts, listings, details] = await Promise.all([
    readOrNull(ctx, () => listingCounts(ctx)),
    readOrNull(ctx, () => allListings(ctx, query)),
    loadListingDetails(ctx, params),
  ]);
  return data({ query, counts, listings, details }, counts && listings ? undefined : { status: 503 });
}

export function action(args: Route.ActionArgs) {
  return runAction(args, {
    intents: { [SET_FEATURED]: (form) => handleFeatured(form, adminPaths.properties()) },
    messages: { failed: featuredMessages.failed },
  });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Properties', hidden: true });

/** The listings of all sellers. */
export default function AdminProperties({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const { query, counts, listings, details } = loaderData;
  const hrefWith = (changes: Record<string, string | undefined>) =>
    adminPaths.properties({ ...Object.fromEntries(params), ...changes });
  return (
    <>
      <ListingDetailsDrawer details={details} hrefWith={hrefWith} />
      <AreaHead
        title="Properties"
        actions={
          <ButtonLink variant="outline" to={adminPaths.newProperty()} icon={Plus}>
            Add Property
          </ButtonLink>
        }
      />
      {counts ? <StatStrip stats={cards(counts)} /> : <FailedPanel title="The totals could not be loaded." />}
      <AllTab query={query} listings={listings} />
    </>
  );
}

const cards = ({ total, active, pending, inEscrow }: ListingCounts) => [
  { label: 'Total Properties', value: countText(total), icon: House },
  { label: 'Active', value: countText(active), icon: Check },
  { label: 'Pending', value: countText(pending), icon: Clock },
  { label: 'In Escrow', value: countText(inEscrow), icon: Hourglass },
];
