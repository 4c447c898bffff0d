import { Clock, HandCoins, House, Plus } from 'lucide-react';
import { Link } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
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
import { ButtonLink } from '#ui/button.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import type { Route } from './+types/dashboard';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [{ rows, active }, totals] = await Promise.all([recentListings(ctx), sellerTotals(ctx)]);
  const { completed, pending } = totals;
  return { rows, active, completed, pending, mayAct: mayList(ctx.actor) };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Seller Dashboard', hidden: true });

/** A seller's active listings, earnings, and five newest properties. */
export default function SellerDashboard({ loaderData }: Route.ComponentProps) {
  const { rows, active, completed, pending, mayAct } = loaderData;
  const viewer = useSite()?.viewer;
  return (
    <>
      <AreaHead
        title="Seller Dashboard"
        actions={
          mayAct && (
            <ButtonLink to={paths.sellerAddProperty()} icon={Plus}>
              Add New Property
            </ButtonLink>
          )
        }
      />
      <StatStrip
        stats={[
          { label: 'Active Listings', value: groupedNumber(active), note: 'On the market now', icon: House },
          {
            label: 'Total Commission Earned',
            value: dollarsAndCents(completed.cents),
            note: payoutNotes.completed(completed),
            icon: HandCoins,
          },
          {
            label: 'Pending Payouts',
            value: dollarsAndCents(pending.cents),
            note: payoutNotes.pending(pending),
            icon: Clock,
          },
        ]}
      />
      <Panel
        title="Recent Properties"
        actions={
          <Link className="link text-sm" to={paths.sellerProperties()}>
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
