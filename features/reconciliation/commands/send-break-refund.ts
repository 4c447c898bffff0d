import { KEY_LASTS_MS, PaymentError, type RefundState } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { breakRefundRows, recordFailedRefund, refundsThrough } from '../break-refund.ts';
import { mayReconcileAccounts } from '../rules.ts';

/**
 * Requests the refund that is to end a break, under its recorded key: however often this runs, the money goes back once. Where the
 * key may have been forgotten, and after a refusal, the provider is asked whether an earlier call was carried out unheard. Its booking
 * is found by reconciling. A refusal is recorded, and the break's task says so.
 * @throws PaymentError while the provider cannot be reached; the job is retried
 */
export async function sendBreakRefund(
  ctx: CtxWith<'payments'>,
  { refundId }: { refundId: string },
): Promise<void> {
  authorize(ctx, mayReconcileAccounts);
  const refund = await breakRefundRows(ctx)
    .where('r.id', '=', refundId)
    .where('r.status', '=', 'pending')
    .executeTakeFirst();
  if (!refund) return;
  const { refundsOf, refundOnce } = refundsThrough(ctx, refund);
  const carriedOut = async (): Promise<RefundState | undefined> => {
    try {
      return (await refundsOf()).find(({ key }) => key === refund.idempotency_key);
    } catch (error) {
      // Nothing of a payment that the provider does not know was sent back.
      if (error instanceof PaymentError && error.code === 'not_found') return undefined;
      throw error;
    }
  };
  // Within the running transaction, if there is one.
  const sent = async ({ ref }: RefundState) => {
    await ctx.db
      .q()
      .updateTable('break_refunds')
      .set({ status: 'sent', provider_ref: ref })
      .where('id', '=', refundId)
      .where('status', '=', 'pending')
      .execute();
  };
  const isOld = ctx.now().getTime() - refund.created_at.getTime() > KEY_LASTS_MS;
  const earlier = isOld ? await carriedOut() : undefined;
  if (earlier) return sent(earlier);
  try {
    await sent(await refundOnce());
  } catch (error) {
    if (!(error instanceof PaymentError) || error.retryable || error.code === 'auth') throw error;
    const unheard = await carriedOut();
    if (unheard) return sent(unheard);
    await recordFailedRefund(ctx, refund, {
      reason: error.message,
      detail: `The refund was refused: ${error.message}`,
    });
  }
}
