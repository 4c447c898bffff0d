import { Clock, HandCoins, House, Plus } from 'lucide-react';
import { data, Link } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { NO_PROPERTIES, OwnListingsTable } from '#features/listings/components/own-listings-table.tsx';
import { groupedNumber } from '#features/listings/display.ts';
import { recentListings } from '#features/listings/reads.ts';
import { mayList } from '#features/listings/rules.ts';
import { sellerTotals } from '#features/sales/reads.ts';
import { payoutNotes } from '#features/sales/seller-totals.ts';
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
  const [recent, totals] = await Promise.all([
    readOrNull(ctx, () => recentListings(ctx)),
    readOrNull(ctx, () => sellerTotals(ctx)),
  ]);
  const figures = recent && totals && { active: recent.active, ...totals };
  return data(
    { rows: recent?.rows ?? null, figures, mayAct: mayList(ctx.actor) },
    figures ? undefined : { status: 503 },
  );
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Seller Dashboard', hidden: true });

/** A seller's active listings, earnings, and five newest properties. */
export default function SellerDashboard({ loaderData }: Route.ComponentProps) {
  const { rows, figures, mayAct } = loaderData;
  const viewer = useSite()?.viewer;
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
      {figures ? (
        <StatStrip
          stats={[
            {
              label: 'Active Listings',
              value: groupedNumber(figures.active),
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
      {viewer && (
        <div className="hint mt-8">
          <SignedInLine email={viewer.email} accountPath={paths.account()} />
        </div>
      )}
    </>
  );
}
