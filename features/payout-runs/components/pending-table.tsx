import './payouts.css';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { Sort } from '#ui/sortable-header.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { methodLabels, obstacleLabels } from '../display.ts';
import type { PendingPayout } from '../model.ts';
import { runMessages } from '../rules.ts';
import { PayoutProperty } from './payout-property.tsx';

/** The form that the boxes belong to wherever they are. */
export const SELECTION_FORM = 'payout-selection';

interface Props {
  /** undefined while loading, null when that failed */
  rows: readonly PendingPayout[] | null | undefined;
  /** shown when loading failed */
  failure: string;
  selected: ReadonlySet<string>;
  onSelect: (rows: readonly PendingPayout[], on: boolean) => void;
  sort: Sort | null;
  onSort: (next: Sort | null) => void;
}

/** The payouts that can be made now, with a box for each and one for all. */
export function PendingTable({ rows, failure, selected, onSelect, sort, onSort }: Props) {
  const retry = useRetry();
  return (
    <Table
      label="Pending Payouts"
      columns={[selectionColumn(rows ?? [], selected, onSelect), ...columns]}
      rows={rows ?? undefined}
      rowKey={({ saleId }) => saleId}
      loading="Loading payouts..."
      empty={runMessages.none}
      error={rows === null ? { title: runMessages.loadFailed, detail: failure, ...retry } : null}
      sort={sort}
      onSort={onSort}
      selected={({ saleId }) => selected.has(saleId)}
    />
  );
}

function selectionColumn(
  rows: readonly PendingPayout[],
  selected: ReadonlySet<string>,
  onSelect: Props['onSelect'],
): Column<PendingPayout> {
  const free = rows.filter(({ inRun }) => !inRun);
  const chosen = free.filter(({ saleId }) => selected.has(saleId)).length;
  return {
    id: 'select',
    className: 'payout-box',
    header: (
      <Checkbox
        className="needs-js"
        aria-label="Select all"
        disabled={free.length === 0}
        checked={chosen > 0 && chosen === free.length}
        indeterminate={chosen > 0 && chosen < free.length}
        onChange={({ currentTarget }) => onSelect(free, currentTarget.checked)}
      />
    ),
    cell: (row) => (
      <Checkbox
        aria-label={`Select ${row.seller.name}, ${row.address}`}
        name="sale"
        value={row.saleId}
        form={SELECTION_FORM}
        disabled={row.inRun}
        checked={selected.has(row.saleId)}
        onChange={({ currentTarget }) => onSelect([row], currentTarget.checked)}
      />
    ),
  };
}

const columns: readonly Column<PendingPayout>[] = [
  { id: 'seller', header: 'Seller', sortable: true, lead: true, cell: ({ seller }) => <b>{seller.name}</b> },
  { id: 'property', header: 'Property', sortable: true, cell: PayoutProperty },
  {
    id: 'price',
    header: 'Sale Price',
    right: true,
    sortable: true,
    cell: ({ salePriceCents }) => dollarsAndCents(salePriceCents),
  },
  {
    id: 'commission',
    header: 'Commission',
    right: true,
    sortable: true,
    className: 'money',
    cell: ({ amountCents }) => dollarsAndCents(amountCents),
  },
  { id: 'method', header: 'Payment Method', cell: (row) => <Method {...row} /> },
  {
    id: 'date',
    header: 'Date',
    right: true,
    sortable: true,
    cell: ({ createdAt }) => <LocalTime of={createdAt} as="date" />,
  },
];

function Method({ method, obstacle, inRun }: PendingPayout) {
  return (
    <span className="badges">
      {method && methodLabels[method]}
      {inRun ? (
        <Badge tone="info">In a run</Badge>
      ) : (
        obstacle && <Badge tone="mute">{obstacleLabels[obstacle]}</Badge>
      )}
    </span>
  );
}
