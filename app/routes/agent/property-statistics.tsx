import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { StatisticsView } from '#features/listing-statistics/components/statistics-view.tsx';
import { listingStatistics } from '#features/listing-statistics/reads.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/property-statistics';

export const loader = ({ params, context }: Route.LoaderArgs) =>
  listingStatistics(getCtx(context), { propertyId: params.id });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData ? `Statistics of ${loaderData.listing.address}` : 'Property Statistics',
    hidden: true,
  });

/** What happened to one of the seller's properties in the last days, beside similar ones. */
export default function PropertyStatistics({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Property Statistics"
        back={{ href: sellerPaths.properties(), label: 'Back to Properties' }}
      />
      <StatisticsView statistics={loaderData} />
    </>
  );
}
