import type { ReactNode } from 'react';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { Column } from '#ui/table.tsx';
import { payoutStatusBadge } from '../rules.ts';
import type { SellerSale } from '../seller-sales.ts';

/** Where the money of a seller's sale is. */
export const payoutBadge = ({ state }: SellerSale): ReactNode => {
  const { tone, label } = payoutStatusBadge(state);
  return <Badge tone={tone}>{label}</Badge>;
};

/** The columns of a commission history; `property` leads to what its readers may open. */
export const commissionColumns = (
  property: (sale: SellerSale) => ReactNode,
): readonly Column<SellerSale>[] => [
  { id: 'date', header: 'Date', cell: ({ date }) => <LocalTime of={date} as="date" /> },
  { id: 'property', header: 'Property', lead: true, cell: property },
  {
    id: 'amount',
    header: 'Sale Amount',
    right: true,
    cell: ({ salePriceCents }) => dollarsAndCents(salePriceCents),
  },
  {
    id: 'commission',
    header: 'Commission',
    right: true,
    cell: ({ commissionCents }) => dollarsAndCents(commissionCents),
  },
  { id: 'status', header: 'Status', cell: payoutBadge },
];
