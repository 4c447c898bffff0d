import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { StatisticsView } from '#features/listing-statistics/components/statistics-view.tsx';
import { listingStatistics } from '#features/listing-statistics/reads.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/property-statistics';

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const statistics = await readOrNull(ctx, () => listingStatistics(ctx, { propertyId: params.id }));
  return data({ statistics }, statistics ? undefined : { status: 503 });
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData?.statistics
      ? `Statistics of ${loaderData.statistics.listing.address}`
      : 'Property Statistics',
    hidden: true,
  });

/** What happened to one of the seller's properties in the last days, beside similar ones. */
export default function PropertyStatistics({ loaderData: { statistics } }: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Property Statistics"
        back={{ href: sellerPaths.properties(), label: 'Back to Properties' }}
      />
      {statistics ? (
        <StatisticsView statistics={statistics} />
      ) : (
        <FailedPanel title="The statistics could not be loaded." />
      )}
    </>
  );
}
