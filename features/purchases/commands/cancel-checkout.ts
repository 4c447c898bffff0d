import { isUuid } from '#features/accounts/rules.ts';
import { PaymentError, type Payments } from '#gateways/payments/port.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { limits, takeTokens } from '#platform/limits.ts';
import type { MoveResult } from '../model.ts';
import { moveSale } from '../move.ts';
import { mayMoveSales } from '../rules.ts';
import { lockSale, stateOf } from '../sale-row.ts';
import { applyCheckout } from './sync-payment.ts';

/**
 * Ends an unpaid purchase at its buyer's wish: first the provider's page is closed, so that it cannot be paid any more, then
 * the property is free (B4-T 2). If it was paid meanwhile the payment stands, and the answer says so.
 * @throws Unauthenticated; NotFound for a sale that is not the caller's; PaymentError when the provider gives no answer
 */
export async function cancelCheckout(ctx: Ctx, saleId: string, payments: Payments): Promise<MoveResult> {
  const user = authorizedUser(ctx, mayMoveSales);
  if (!isUuid(saleId)) throw new NotFound();
  await takeTokens(ctx, limits.actOnSale, user.id);
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'provider', 'provider_session_id', 'stripe_payment_status', 'escrow_status'])
    .where('id', '=', saleId)
    .where('buyer_id', '=', user.id)
    .executeTakeFirst();
  if (!sale) throw new NotFound();
  if (sale.stripe_payment_status === 'failed') return { ok: true };
  if (sale.stripe_payment_status !== 'pending') return { ok: false, reason: 'not_now' };
  if (sale.provider_session_id && !(await closeAtProvider(ctx, sale, sale.provider_session_id, payments)))
    return { ok: false, reason: 'not_now' };
  return ctx.db.tx(async (q): Promise<MoveResult> => {
    const current = await lockSale(q, saleId);
    if (!current) throw new NotFound();
    if (stateOf(current).payment === 'failed') return { ok: true };
    // A checkout that was opened between the question and this lock would still be payable.
    if (current.provider_session_id !== sale.provider_session_id) return { ok: false, reason: 'not_now' };
    return moveSale(ctx, {
      sale: current,
      event: 'cancel_checkout',
      by: 'buyer',
      note: 'Cancelled by the buyer.',
      patch: { failure_reason: 'You cancelled the checkout.' },
    });
  });
}

/** @returns false when the money is on its way or there already; the sale then stands as the provider says */
async function closeAtProvider(
  ctx: Ctx,
  sale: { id: string; provider: string },
  ref: string,
  payments: Payments,
): Promise<boolean> {
  const port = payments.of(sale.provider);
  try {
    await port.cancelCheckout(ref, `cancel:${sale.id}`);
    return true;
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    if (error.code === 'not_found') return true;
    if (error.code !== 'conflict') throw error;
    const system: Ctx = { ...ctx, actor: { kind: 'system', name: 'payments' } };
    await applyCheckout(system, sale.id, await port.getCheckout(ref));
    return false;
  }
}
