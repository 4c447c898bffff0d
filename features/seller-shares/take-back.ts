import { balancesOf } from '#features/ledger/balances.ts';
import { loadBooks } from '#features/sales/load-books.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { takeBackJob } from './take-back-job.ts';

/**
 * Asks for what the seller of a locked sale owes to be taken back from its payouts, in the current transaction. What cannot be is
 * set off against the seller's next payouts.
 */
export async function askForMoneyBack(ctx: Ctx, sale: SaleRow): Promise<void> {
  if (sale.payout_status === null || sale.payout_status === 'processing') return;
  const { entries } = await loadBooks(ctx, sale.id);
  const { sellerReceivableCents, sellerPayableCents } = balancesOf(entries);
  // What the seller is owed for the same sale is set off against it, and does not have to come back as well.
  if (sellerReceivableCents <= Math.max(0, sellerPayableCents)) return;
  const sent = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('id')
    .where('sale_id', '=', sale.id)
    .where('provider', 'is not', null)
    .whereRef('paid_cents', '>', (column) => column('returned_cents', '+', column.ref('reversed_cents')))
    .limit(1)
    .executeTakeFirst();
  if (sent) await enqueue(ctx, takeBackJob, { saleId: sale.id }, { key: sale.id });
}
