import { TestModeMark } from '#features/sales/components/test-mode-mark.tsx';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { RecentPayout } from '../model.ts';
import { payoutBadge, ratePercent } from '../rules.ts';

const status = ({ state }: RecentPayout) => {
  const badge = payoutBadge(state);
  return badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : '-';
};

const Seller = ({ seller, testMode }: RecentPayout) => (
  <>
    {seller}
    <TestModeMark testMode={testMode} />
  </>
);

const columns: readonly Column<RecentPayout>[] = [
  { id: 'seller', header: 'Seller', cell: Seller },
  {
    id: 'price',
    header: 'Sale Amount',
    right: true,
    cell: ({ salePriceCents }) => dollarsAndCents(salePriceCents),
  },
  { id: 'rate', header: 'Commission Rate', right: true, cell: ({ rate }) => ratePercent(rate) },
  {
    id: 'commission',
    header: 'Commission',
    right: true,
    cell: ({ commissionCents }) => <b>{dollarsAndCents(commissionCents)}</b>,
  },
  { id: 'status', header: 'Status', cell: status },
  { id: 'date', header: 'Date', right: true, cell: ({ paidAt }) => <LocalTime of={paidAt} as="date" /> },
];

/** The five newest paid sales; null when they could not be loaded. */
export function RecentPayoutsTable({ rows }: { rows: readonly RecentPayout[] | null }) {
  const retry = useRetry();
  return (
    <Table
      label="Recent Payouts"
      columns={columns}
      rows={rows ?? undefined}
      rowKey={({ saleId }) => saleId}
      loading="Loading payouts..."
      empty="No sales have been paid yet."
      error={rows === null ? { title: 'The payouts could not be loaded.', ...retry } : null}
    />
  );
}
