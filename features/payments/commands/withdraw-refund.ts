import { loadBooks } from '#features/sales/load-books.ts';
import { queueRefund } from '#features/sales/refund-request.ts';
import { NOTE_MAX_LENGTH } from '#features/sales/rules.ts';
import { owedWithout } from '#features/sales/sale-books.ts';
import { refundTermsOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { cutText } from '#platform/cut-text.ts';
import type { UnsentRefundResult } from '../model.ts';
import { settleSale } from '../settle-sale.ts';
import { withUnsentRefund } from '../with-unsent-refund.ts';

/**
 * Withdraws a refund that has not left: the sale goes on without it. What the sale owes the buyer cannot be withdrawn, only paid another
 * way; when a part of that has gone back another way, the rest is ordered instead.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests; PaymentError `unavailable` when the provider gives
 *   no answer
 */
export async function withdrawRefund(
  ctx: CtxWith<'payments'>,
  input: {
    refundId: string;
    /** for both sides; at most 2,000 characters */
    reason: string;
  },
): Promise<UnsentRefundResult> {
  const reason = cutText(input.reason.trim(), NOTE_MAX_LENGTH);
  return withUnsentRefund(ctx, input.refundId, async ({ refund, sale }) => {
    if (reason === '') return { ok: false, reason: 'no_reason' };
    const books = await loadBooks(ctx, sale.id);
    const owed = owedWithout(sale.id, refundTermsOf(sale), books, refund.idempotency_key);
    const amountCents = refund.amount_cents - (owed?.amountCents ?? 0);
    if (amountCents <= 0) return { ok: false, reason: 'owed' };
    const moved = await transitionSale(ctx, {
      sale,
      event: 'withdraw_refund',
      by: 'admin',
      note: reason,
      amountCents,
    });
    if (!moved.ok) return moved;
    await ctx.db
      .q()
      .updateTable('refunds')
      .set({
        status: 'failed',
        failure_reason: 'An administrator withdrew it.',
        withdrawn_at: ctx.now(),
        settled_at: ctx.now(),
      })
      .where('id', '=', refund.id)
      .execute();
    if (owed) await queueRefund(ctx, { saleId: sale.id, books, request: owed, reason: refund.reason });
    await settleSale(ctx, moved.sale);
    return { ok: true };
  });
}
