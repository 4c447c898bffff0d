import { countText } from '#platform/counts.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { notYetBadges } from '../display.ts';
import type { NotYetPayable as NotYet, Page } from '../model.ts';
import { runMessages } from '../rules.ts';
import { PayoutProperty } from './payout-property.tsx';

interface Props {
  /** null when it could not be loaded */
  list: Page<NotYet> | null;
  failure: string;
  /** open from the start, as on a later page of it */
  open: boolean;
  href: (page: number) => string;
}

/** Paid sales in escrow and held payouts, folded away beneath those that can be paid. */
export function NotYetPayable({ list, failure, open, href }: Props) {
  const retry = useRetry();
  return (
    <details className="not-yet" open={open || undefined}>
      <summary>
        Not yet payable{' '}
        {list && (
          <span>
            {countText(list.total)} {list.total.count === 1 ? 'sale' : 'sales'}
          </span>
        )}
      </summary>
      <Table
        label="Not yet payable"
        columns={columns}
        rows={list?.rows}
        rowKey={({ saleId }) => saleId}
        loading="Loading payouts..."
        empty="Every paid sale can be paid out."
        error={list === null ? { title: runMessages.loadFailed, detail: failure, ...retry } : null}
        dense
      />
      {list && (
        <Pagination
          page={list.page}
          pages={list.pages}
          href={href}
          label="Pages of sales not yet payable"
          keepsScroll
        />
      )}
    </details>
  );
}

const columns: readonly Column<NotYet>[] = [
  { id: 'seller', header: 'Seller', cell: ({ seller }) => <b>{seller.name}</b> },
  { id: 'property', header: 'Property', cell: PayoutProperty },
  {
    id: 'price',
    header: 'Sale Price',
    right: true,
    cell: ({ salePriceCents }) => dollarsAndCents(salePriceCents),
  },
  {
    id: 'commission',
    header: 'Commission',
    right: true,
    className: 'money',
    cell: ({ amountCents }) => dollarsAndCents(amountCents),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ reason }) => <Badge tone={notYetBadges[reason].tone}>{notYetBadges[reason].label}</Badge>,
  },
  {
    id: 'until',
    header: 'Deadline',
    right: true,
    cell: ({ until }) => (until ? <LocalTime of={until} as="date" /> : '-'),
  },
];
