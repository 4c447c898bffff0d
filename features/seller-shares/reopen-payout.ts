import { balancesOf } from '#features/ledger/balances.ts';
import { loadBooks } from '#features/sales/load-books.ts';
import { pendingParts } from '#features/sales/sale-books.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { asSystem, type Ctx } from '#platform/context.ts';

/**
 * Makes the payout of a locked sale pending again, in the current transaction, when its seller is owed more than was sent: money
 * that had gone back to the buyer came back, and is not on its way to the buyer again.
 */
export async function reopenPayout(ctx: Ctx, sale: SaleRow): Promise<SaleRow> {
  if (sale.payout_status !== 'completed') return sale;
  const { entries, refunds } = await loadBooks(ctx, sale.id);
  const { sellerPayableCents } = balancesOf(entries);
  const { baseCents } = pendingParts(refunds);
  if (sellerPayableCents <= 0 || baseCents > 0) return sale;
  const moved = await transitionSale(asSystem(ctx, 'payouts'), {
    sale,
    event: 'reopen_payout',
    by: 'system',
    amountCents: sellerPayableCents,
  });
  return moved.ok ? moved.sale : sale;
}
