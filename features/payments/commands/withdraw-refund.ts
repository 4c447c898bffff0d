import { loadBooks } from '#features/sales/load-books.ts';
import { NOTE_MAX_LENGTH } from '#features/sales/rules.ts';
import { isOwed } from '#features/sales/sale-books.ts';
import { stateOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { cutText } from '#platform/cut-text.ts';
import type { UnsentRefundResult } from '../model.ts';
import { settleSale } from '../settle-sale.ts';
import { withUnsentRefund } from '../with-unsent-refund.ts';

/**
 * Withdraws a refund that has not left: the sale goes on without it. What a cancellation or an overpayment owes the buyer cannot be
 * withdrawn, only paid another way.
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
    const { amount_cents: amountCents, base_cents, fees_cents, suspense_cents } = refund;
    const parts = { baseCents: base_cents, feesCents: fees_cents, suspenseCents: suspense_cents };
    if (isOwed(stateOf(sale), await loadBooks(ctx, sale.id), { amountCents, parts }))
      return { ok: false, reason: 'owed' };
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
    await settleSale(ctx, moved.sale);
    return { ok: true };
  });
}
