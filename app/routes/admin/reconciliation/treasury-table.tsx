import type { TreasuryLine } from '#features/payout-runs/model.ts';
import { accountName } from '#features/reconciliation/display.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useRetry } from '#ui/use-retry.ts';

type Amount = 'availableCents' | 'pendingCents' | 'heldCents' | 'dueCents';

const amountColumn = (id: Amount, header: string): Column<TreasuryLine> => ({
  id,
  header,
  right: true,
  cell: ({ position }) => (position === null ? '—' : dollarsAndCents(position[id])),
});

const columns: Column<TreasuryLine>[] = [
  { id: 'account', header: 'Account', cell: (one) => <span className="strong">{accountName(one)}</span> },
  amountColumn('availableCents', 'Available'),
  amountColumn('pendingCents', 'On its way'),
  amountColumn('heldCents', 'Held for sales'),
  amountColumn('dueCents', 'Due to sellers'),
  {
    id: 'missing',
    header: 'Missing',
    cell: ({ position }) =>
      position === null ? (
        '—'
      ) : position.missingCents > 0 ? (
        <Badge tone="bad">{dollarsAndCents(position.missingCents)}</Badge>
      ) : (
        <Badge tone="ok">Nothing</Badge>
      ),
  },
  {
    id: 'asked',
    header: 'Asked',
    cell: ({ position }) => (position === null ? 'Not yet' : <TimeAgo of={position.askedAt} />),
  },
];

/** What sellers are paid out of, and whether it suffices; null when it could not be loaded. */
export function TreasuryTable({ lines }: { lines: readonly TreasuryLine[] | null }) {
  const retry = useRetry();
  return (
    <Table
      label="Money for payouts"
      columns={columns}
      rows={lines ?? []}
      rowKey={({ provider }) => provider}
      loading="Loading money for payouts..."
      empty="No provider of payouts is connected: sellers are paid by hand."
      error={lines === null ? { title: 'The money for payouts could not be loaded.', ...retry } : null}
    />
  );
}
