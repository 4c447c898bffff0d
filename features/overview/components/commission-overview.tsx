import { Link } from 'react-router';
import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { ErrorState } from '#ui/error-state.tsx';
import { Panel } from '#ui/panel.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { MarketplaceTotals, RecentPayout } from '../model.ts';
import { ratePercent } from '../rules.ts';
import { RecentPayoutsTable } from './recent-payouts-table.tsx';

interface Props {
  /** null when they could not be loaded */
  totals: MarketplaceTotals | null;
  payouts: readonly RecentPayout[] | null;
  /** where the number of transactions leads; nowhere without such a page */
  salesHref?: string | undefined;
}

/** What sellers and the platform earn, and the newest paid sales. */
export function CommissionOverview({ totals, payouts, salesHref }: Props) {
  const retry = useRetry();
  return (
    <Panel title="Commission Overview">
      {totals ? (
        <dl className="tiles">
          <div>
            <dt>Average Seller Commission Rate</dt>
            <dd>{ratePercent(totals.averageRate)}</dd>
          </div>
          <div>
            <dt>Total Admin Fees</dt>
            <dd>{dollarsAndCents(totals.adminFeesCents)}</dd>
          </div>
          <div>
            <dt>Total Transactions</dt>
            <dd>
              {salesHref ? (
                <Link className="link" to={salesHref}>
                  {formatCount(totals.sales.count)}
                </Link>
              ) : (
                formatCount(totals.sales.count)
              )}
            </dd>
          </div>
        </dl>
      ) : (
        <ErrorState title="The commissions could not be loaded." retry={retry} />
      )}
      <h3 className="subhead">Recent Payouts</h3>
      <RecentPayoutsTable rows={payouts} />
    </Panel>
  );
}
