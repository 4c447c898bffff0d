import type { Ctx } from '#platform/context.ts';
import { loadReceipt } from './load-receipt.ts';
import type { ReceiptFacts } from './model.ts';
import type { SaleRow } from './sale-row.ts';

/**
 * The receipt of a closed sale as it stood at the closing, whatever was refunded afterwards: the facts of the document that is kept.
 * @throws NotFound for a sale that was never paid; Error for one that has not closed
 */
export async function closingReceipt(
  ctx: Ctx,
  sale: SaleRow,
): Promise<{ receipt: ReceiptFacts; closedAt: Date }> {
  const closedAt = sale.released_at;
  if (sale.escrow_status !== 'completed' || !closedAt) throw new Error(`The sale ${sale.id} has not closed`);
  const receipt = await loadReceipt(ctx, sale);
  return {
    closedAt,
    receipt: {
      ...receipt,
      refunds: receipt.refunds.filter(({ at }) => new Date(at) <= closedAt),
      state: { payment: 'completed', escrow: 'completed', payout: 'pending' },
    },
  };
}
