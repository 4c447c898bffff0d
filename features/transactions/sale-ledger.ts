import type { SaleLine } from '#features/sales/model.ts';
import type { SaleDetails } from './details-model.ts';

interface Ledger {
  rows: SaleLine[];
  total: SaleLine;
}

const percent = (value: number): string => `${value.toLocaleString('en-US', { maximumFractionDigits: 3 })}%`;

const PAID = ['completed', 'refunded'];

/** What the buyer pays, and where it goes: two columns that each add up. Cents. */
export function ledgersOf(sale: SaleDetails): { buyer: Ledger; parties: Ledger } {
  const paid = PAID.includes(sale.state.payment) && sale.isAccepted;
  const shortfall = paid ? sale.totalCents - sale.paidCents : 0;
  return {
    buyer: {
      rows: [
        { label: 'Sale Price', cents: sale.priceCents },
        ...sale.buyerFees,
        ...lineUnlessZero('Shortfall written off', 0 - shortfall),
      ],
      total: { label: paid ? 'Paid by buyer' : 'Asked of the buyer', cents: sale.totalCents - shortfall },
    },
    parties: PAID.includes(sale.state.payment) && !sale.isAccepted ? onlyReturned(sale) : shares(sale),
  };
}

/** Where a price goes that was paid, or is to be. */
function shares(sale: SaleDetails): Ledger {
  const held = PAID.includes(sale.state.payment) && sale.state.escrow === 'in_escrow';
  // What went back of a payment that nobody has accepted yet was no part of the price.
  const refundedCents = sale.isAccepted ? sale.refundedCents : 0;
  return {
    rows: [
      { label: `Commission (${percent(sale.commissionPercent)})`, cents: sale.commissionCents },
      { label: `Admin fee (${percent(100 - sale.commissionPercent)})`, cents: sale.adminFeeCents },
      { label: held ? 'Fees held' : 'Fees', cents: sale.totalCents - sale.priceCents },
      { label: 'Refunded', cents: 0 - refundedCents },
      ...lineUnlessZero('Write-off reversed', 0 - sale.writeOffReversedCents),
    ],
    total: {
      label: totalLabel(sale),
      cents: sale.totalCents - refundedCents - sale.writeOffReversedCents,
    },
  };
}

/** What becomes of money that never became the price: it was received, and all of it goes back. */
const onlyReturned = (sale: SaleDetails): Ledger => ({
  rows: [
    { label: 'Received', cents: sale.paidCents },
    { label: 'Refunded', cents: 0 - sale.refundedCents },
  ],
  total: { label: totalLabel(sale), cents: sale.paidCents - sale.refundedCents },
});

const lineUnlessZero = (label: string, cents: number): SaleLine[] => (cents === 0 ? [] : [{ label, cents }]);

function totalLabel({ state: { payment, escrow } }: SaleDetails): string {
  if (!PAID.includes(payment)) return 'As agreed';
  if (escrow === 'in_escrow') return 'Held in escrow';
  if (escrow === 'completed') return payment === 'refunded' ? 'Left' : 'Released';
  return payment === 'refunded' ? 'Left' : 'To be refunded';
}

/** Where money of the sale stands in the books, as far as it stands anywhere. Cents. */
export function standingsOf({ books, receivedCents, state, sellerFees }: SaleDetails): SaleLine[] {
  return [
    ...(receivedCents !== null && state.escrow === 'pending'
      ? [{ label: 'Received so far', cents: receivedCents }]
      : []),
    { label: 'Set aside, not assigned', cents: books.suspenseCents },
    { label: 'Taken by an open dispute', cents: books.disputedCents },
    ...sellerFees.map(({ label, cents }) => ({ label: `Seller's ${label}`, cents })),
    { label: 'Owed to the seller', cents: books.sellerPayableCents },
    { label: 'Owed by the seller', cents: books.sellerReceivableCents },
  ].filter(({ cents }) => cents !== 0);
}
