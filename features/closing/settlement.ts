import { sumOf } from '#features/ledger/balances.ts';
import { incomeOf } from '#features/sales/income.ts';
import { loadBooks } from '#features/sales/load-books.ts';
import type { ReceiptFacts, SaleLine } from '#features/sales/model.ts';
import { feeLines } from '#features/sales/sale-details.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import { checkUrlOf } from '#features/verification/display.ts';
import type { Ctx } from '#platform/context.ts';
import { settlementNumber } from './rules.ts';

/** What a settlement statement says: the sale and its money as of the closing. Integer cents. */
export interface Settlement {
  /** as of the closing */
  receipt: ReceiptFacts;
  /** the page on which anyone can check the statement by its number */
  checkUrl: string;
  closedAt: Date;
  /** of the buyer's payment, what had gone back before the closing */
  returnedCents: number;
  /** what left escrow at the closing; the shares of seller and marketplace add up to it */
  releasedCents: number;
  /** how the seller's share comes about, from the sale price down */
  sellerLines: SaleLine[];
  sellerCents: number;
  marketplaceLines: SaleLine[];
  marketplaceCents: number;
}

/**
 * The money of a closed sale, from the ledger entry that released it.
 * @throws Error when the sale's terms and the ledger disagree
 */
export async function loadSettlement(
  ctx: Ctx,
  sale: SaleRow,
  { receipt, closedAt }: Pick<Settlement, 'receipt' | 'closedAt'>,
): Promise<Settlement> {
  const [{ entries }, sellerFees] = await Promise.all([
    loadBooks(ctx, sale.id),
    feeLines(ctx, sale.id, 'seller'),
  ]);
  const released = entries.filter(({ key }) => key === 'released');
  const baseCents = sumOf(released, ['escrow_held']);
  const feesCents = sumOf(released, ['fees_held']);
  const sellerCents = 0 - sumOf(released, ['seller_payable']);
  const income = incomeOf(
    { ...sale, returned_base_cents: sale.sale_price_cents - baseCents, escrow_status: 'completed' },
    sellerFees,
  );
  if (income.proceedsCents !== sellerCents)
    throw new Error(
      `The terms of the sale ${sale.id} give its seller ${income.proceedsCents} cents, the ledger ${sellerCents}`,
    );
  const releasedCents = baseCents + feesCents;
  const marketplaceLines = [
    {
      label: `Share of the sale price (${sale.admin_percentage}%)`,
      cents: baseCents - income.commissionCents,
    },
    { label: "Fees of the seller's side", cents: income.commissionCents - income.proceedsCents },
    { label: "Fees of the buyer's side", cents: feesCents },
  ].filter(({ cents }) => cents !== 0);
  return {
    receipt,
    checkUrl: checkUrlOf(ctx, settlementNumber(receipt.number)),
    closedAt,
    returnedCents: receipt.totalCents - releasedCents,
    releasedCents,
    sellerLines: income.lines,
    sellerCents,
    marketplaceLines,
    marketplaceCents: releasedCents - sellerCents,
  };
}
