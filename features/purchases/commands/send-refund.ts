import { PaymentError, type Payments } from '#gateways/payments/port.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { moveSale } from '../move.ts';
import { mayReconcile } from '../rules.ts';
import { lockSale } from '../sale-row.ts';
import { syncPayment } from './sync-payment.ts';

/**
 * Asks the provider for a refund that is on record, under the key that stands there: however often this runs, and wherever
 * it dies, the provider gives the money back once (R2, R5). How it goes on is the provider's to say.
 * @throws PaymentError while the provider cannot be reached; the job tries again
 */
export async function sendRefund(ctx: Ctx, refundId: string, payments: Payments): Promise<void> {
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
      const state = await payments.of(refund.provider).refund(
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
      // It may have been done by a call whose answer never came.
      await syncPayment(ctx, refund.sale_id, payments);
      await refused(ctx, { ...refund, id: refundId }, error);
      return;
    }
  }
  await syncPayment(ctx, refund.sale_id, payments);
}

/** The provider will not do it: on record, and asked for again later under another key. */
async function refused(
  ctx: Ctx,
  refund: { id: string; sale_id: string; reason: string },
  error: PaymentError,
): Promise<void> {
  ctx.log.error({ err: error, sale: refund.sale_id, refund: refund.id }, 'the provider refused a refund');
  await ctx.db.tx(async (q) => {
    const sale = await lockSale(q, refund.sale_id);
    const changed = await q
      .updateTable('refunds')
      .set({ status: 'failed', failure_reason: error.message, settled_at: ctx.now() })
      .where('id', '=', refund.id)
      .where('status', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (sale && changed)
      await moveSale(ctx, { sale, event: 'fail_refund', by: 'system', note: refund.reason });
  });
}
