import { lockSale } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayReconcile } from '../rules.ts';
import { syncPayment } from './sync-payment.ts';

/**
 * Requests a recorded refund from the provider, under its recorded idempotency key: however often this runs, and wherever
 * it crashes, the money is refunded once (R2, R5). The outcome is then synced from the provider.
 * @throws PaymentError while the provider cannot be reached; the job is retried
 */
export async function sendRefund(
  ctx: CtxWith<'payments'>,
  { refundId }: { refundId: string },
): Promise<void> {
  authorize(ctx, mayReconcile);
  const refund = await ctx.db
    .q()
    .selectFrom('refunds as r')
    .innerJoin('property_sales as s', 's.id', 'r.sale_id')
    .select([
      'r.id',
      'r.sale_id',
      'r.amount_cents',
      'r.reason',
      'r.idempotency_key',
      'r.status',
      'r.provider_ref',
    ])
    .select(['s.provider', 's.provider_session_id'])
    .where('r.id', '=', refundId)
    .executeTakeFirst();
  if (refund?.status !== 'pending' || !refund.provider_session_id) return;
  if (refund.provider_ref === null) {
    try {
      const state = await ctx.payments.of(refund.provider).refund(
        {
          ref: refund.provider_session_id,
          amountCents: refund.amount_cents,
          reason: refund.reason,
        },
        refund.idempotency_key,
      );
      await ctx.db
        .q()
        .updateTable('refunds')
        .set({ provider_ref: state.ref })
        .where('id', '=', refundId)
        .where('provider_ref', 'is', null)
        .execute();
    } catch (error) {
      if (!(error instanceof PaymentError) || error.retryable || error.code === 'auth') throw error;
      // An earlier call whose answer was lost may have succeeded.
      await syncPayment(ctx, { saleId: refund.sale_id });
      await recordRefusal(ctx, { ...refund, id: refundId }, error);
      return;
    }
  }
  await syncPayment(ctx, { saleId: refund.sale_id });
}

/** The provider refused the refund: record that, and request it again later under a new key. */
async function recordRefusal(
  ctx: Ctx,
  refund: { id: string; sale_id: string; reason: string },
  error: PaymentError,
): Promise<void> {
  ctx.log.error({ err: error, sale: refund.sale_id, refund: refund.id }, 'the provider refused a refund');
  await ctx.db.tx(async () => {
    const sale = await lockSale(ctx, refund.sale_id);
    const changed = await ctx.db
      .q()
      .updateTable('refunds')
      .set({ status: 'failed', failure_reason: error.message, settled_at: ctx.now() })
      .where('id', '=', refund.id)
      .where('status', '=', 'pending')
      // The sync may have found out that an earlier call, whose key has expired since, was carried out.
      .where('provider_ref', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (sale && changed)
      await transitionSale(ctx, { sale, event: 'fail_refund', by: 'system', note: refund.reason });
  });
}
