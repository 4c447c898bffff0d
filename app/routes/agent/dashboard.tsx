import { Clock, HandCoins, House, Plus } from 'lucide-react';
import { data, Link } from 'react-router';
import { useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { OwnSummary } from '#features/listing-statistics/components/own-summary.tsx';
import { ownStatistics } from '#features/listing-statistics/reads.ts';
import { NO_PROPERTIES, OwnListingsTable } from '#features/listings/components/own-listings-table.tsx';
import { recentListings } from '#features/listings/reads.ts';
import { mayList } from '#features/listings/rules.ts';
import { sellerTotals } from '#features/sales/reads.ts';
import { payoutNotes } from '#features/sales/seller-totals.ts';
import { WorkList } from '#features/seller-work/components/work-list.tsx';
import { ownWork } from '#features/seller-work/reads.ts';
import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { Route } from './+types/dashboard';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [recent, totals, work, statistics] = await Promise.all([
    readOrNull(ctx, () => recentListings(ctx)),
    readOrNull(ctx, () => sellerTotals(ctx)),
    readOrNull(ctx, () => ownWork(ctx)),
    readOrNull(ctx, () => ownStatistics(ctx)),
  ]);
  const figures = recent && totals && { active: recent.active, ...totals };
  return data(
    { rows: recent?.rows ?? null, figures, work, statistics, mayAct: mayList(ctx.actor) },
    figures && work && statistics ? undefined : { status: 503 },
  );
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Seller Dashboard', hidden: true });

/** Whether a live event changes what waits for a seller. */
const changesWork = (type: string) => type === 'sale.moved' || type.startsWith('inquiry.');

/** What waits for a seller, their active listings, earnings, five newest properties, and what happened to their listings. */
export default function SellerDashboard({ loaderData }: Route.ComponentProps) {
  const { rows, figures, work, statistics, mayAct } = loaderData;
  const viewer = useSite()?.viewer;
  const revalidate = useRevalidate();
  useLiveEvents(({ type }) => {
    if (changesWork(type)) void revalidate();
  });
  return (
    <>
      <AreaHead
        title="Seller Dashboard"
        actions={
          mayAct && (
            <ButtonLink to={sellerPaths.addProperty()} icon={Plus}>
              Add New Property
            </ButtonLink>
          )
        }
      />
      {work ? (
        <WorkList work={work} />
      ) : (
        <div className="mb-8">
          <FailedPanel title="What waits for you could not be loaded." />
        </div>
      )}
      {figures ? (
        <StatStrip
          stats={[
            {
              label: 'Active Listings',
              value: formatCount(figures.active),
              note: 'On the market now',
              icon: House,
            },
            {
              label: 'Total Commission Earned',
              value: dollarsAndCents(figures.completed.cents),
              note: payoutNotes.completed(figures.completed),
              icon: HandCoins,
            },
            {
              label: 'Pending Payouts',
              value: dollarsAndCents(figures.pending.cents),
              note: payoutNotes.pending(figures.pending),
              icon: Clock,
            },
          ]}
        />
      ) : (
        <FailedPanel title="Your figures could not be loaded." />
      )}
      <Panel
        title="Recent Properties"
        actions={
          <Link className="link text-sm" to={sellerPaths.properties()}>
            My Properties
          </Link>
        }
      >
        <OwnListingsTable label="Recent Properties" rows={rows} empty={NO_PROPERTIES} />
      </Panel>
      {statistics ? (
        rows?.length !== 0 && <OwnSummary statistics={statistics} />
      ) : (
        <div className="mt-8">
          <FailedPanel title="Your statistics could not be loaded." />
        </div>
      )}
      {viewer && (
        <div className="hint mt-8">
          <SignedInLine email={viewer.email} accountPath={paths.account()} />
        </div>
      )}
    </>
  );
}
