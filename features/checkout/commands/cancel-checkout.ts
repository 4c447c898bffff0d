import { applyCheckout } from '#features/payments/commands/sync-payment.ts';
import { portOfSale } from '#features/payments/sale-port.ts';
import { saleLimits } from '#features/sales/limits.ts';
import type { TransitionResult } from '#features/sales/model.ts';
import { mayActOnSales } from '#features/sales/rules.ts';
import { lockSale, type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { paysInParts } from '#gateways/payments/providers.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { asSystem } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';

/** `returned`: a part of the payment had arrived, and goes back. */
type CancelCheckoutResult = { ok: true; returned?: true } | Extract<TransitionResult, { ok: false }>;

/**
 * Cancels an unpaid purchase for its buyer: the checkout is closed at the provider first, so that it can no longer be paid,
 * then the property is released. If it was paid in the meantime the payment stands and the result is `not_now`; of a payment in
 * parts that is not complete, what has arrived goes back.
 * @throws Unauthenticated; NotFound for a sale that is not the caller's; PaymentError when the provider does not answer, or does not
 *   know the checkout, which says nothing about whether it was paid: the hold then ends by itself
 */
export async function cancelCheckout(
  ctx: CtxWith<'payments'>,
  { saleId }: { saleId: string },
): Promise<CancelCheckoutResult> {
  const user = authorizedUser(ctx, mayActOnSales);
  if (!isUuid(saleId)) throw new NotFound();
  await takeTokens(ctx, saleLimits.act, user.id);
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'provider', 'livemode', 'provider_account_id', 'provider_session_id'])
    .select(['stripe_payment_status', 'frozen_at'])
    .where('id', '=', saleId)
    .where('buyer_id', '=', user.id)
    .executeTakeFirst();
  if (!sale) throw new NotFound();
  if (sale.stripe_payment_status === 'failed') return { ok: true };
  const awaitsRest = sale.stripe_payment_status === 'processing' && paysInParts(sale.provider);
  if (sale.stripe_payment_status !== 'pending' && !awaitsRest) return { ok: false, reason: 'not_now' };
  // Before it is closed at the provider: what becomes of a frozen one, an administrator decides.
  if (sale.frozen_at) return { ok: false, reason: 'frozen' };
  if (sale.provider_session_id) {
    const closed = await closeAtProvider(ctx, sale, sale.provider_session_id);
    if (closed === 'paid') return { ok: false, reason: 'not_now' };
    if (closed === 'returned') return { ok: true, returned: true };
  }
  return ctx.db.tx(async (): Promise<TransitionResult> => {
    const current = await lockSale(ctx, saleId);
    if (!current) throw new NotFound();
    if (stateOf(current).payment === 'failed') return { ok: true };
    // A checkout opened between the read above and this lock would still be payable.
    if (current.provider_session_id !== sale.provider_session_id) return { ok: false, reason: 'not_now' };
    const moved = await transitionSale(ctx, {
      sale: current,
      event: 'cancel_checkout',
      by: 'buyer',
      note: 'Cancelled by the buyer.',
      patch: { failure_reason: 'You cancelled the checkout.' },
    });
    return moved.ok ? { ok: true } : moved;
  });
}

/**
 * @returns `paid` when money is under way or has arrived, `returned` when a part had and goes back; the sale has then been synced
 *   with the provider
 */
async function closeAtProvider(
  ctx: CtxWith<'payments'>,
  sale: Pick<SaleRow, 'id' | 'provider' | 'livemode' | 'provider_account_id'>,
  ref: string,
): Promise<'closed' | 'paid' | 'returned'> {
  const { port } = await portOfSale(ctx, sale);
  const system = asSystem(ctx, 'payments');
  try {
    const checkout = await port.cancelCheckout(ref, `cancel:${sale.id}`);
    if (checkout.tranches.length === 0) return 'closed';
    await applyCheckout(system, { saleId: sale.id, checkout });
    return 'returned';
  } catch (error) {
    if (!(error instanceof PaymentError) || error.code !== 'conflict') throw error;
    await applyCheckout(system, { saleId: sale.id, checkout: await port.getCheckout(ref) });
    return 'paid';
  }
}
