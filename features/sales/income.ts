import { sellerDueCents } from '#features/ledger/rules.ts';
import type { SaleLine, SellerIncome } from './model.ts';
import { amountsOf, type SaleRow } from './sale-row.ts';

/** The columns of a sale that decide its seller's income. */
export type IncomeRow = Pick<
  SaleRow,
  | 'sale_price_cents'
  | 'buyer_fees_cents'
  | 'agent_commission_cents'
  | 'seller_fees_cents'
  | 'returned_base_cents'
  | 'escrow_status'
  | 'admin_percentage'
>;

/**
 * How the seller's proceeds come about, line by line: what is left of the sale price after refunds, less the platform's share
 * and the seller's fees, which never exceed what is left. Of a cancelled sale, what was agreed on. `fees` are those agreed on,
 * in cents.
 */
export function incomeOf(sale: IncomeRow, fees: readonly SaleLine[]): SellerIncome {
  const price = sale.sale_price_cents;
  const returned = sale.escrow_status === 'cancelled' ? 0 : sale.returned_base_cents;
  const commission = sellerDueCents({ ...amountsOf(sale), sellerFeesCents: 0 }, price - returned);
  let left = commission;
  const deducted = fees.map(({ label, cents }) => {
    const taken = Math.min(cents, left);
    left -= taken;
    return { label, cents: -taken };
  });
  const lines = [
    { label: 'Refunded to the buyer', cents: -returned },
    { label: `Platform's share (${sale.admin_percentage}%)`, cents: commission - (price - returned) },
    ...deducted,
  ];
  return {
    lines: [{ label: 'Sale price', cents: price }, ...lines.filter(({ cents }) => cents !== 0)],
    commissionCents: commission,
    proceedsCents: left,
  };
}
