import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { lockSale, type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import { type CheckoutState, PaymentError, type PaymentsPort } from '#gateways/payments/port.ts';
import { accountProviderOf, paysInParts } from '#gateways/payments/providers.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { loadImage } from '../load-image.ts';
import { planSync } from '../plan-sync.ts';
import { mayReconcile, nextAskAt } from '../rules.ts';
import type { SaleImage } from '../sale-image.ts';
import { portOfSale } from '../sale-port.ts';
import { writeChanges } from '../write-changes.ts';

/**
 * Fetches the state of a sale's payment from its provider and applies the transitions that follow. This is the only source
 * of truth about money: messages, redirects and timers merely trigger it (R3). Safe to run concurrently.
 * @throws PaymentError when the provider does not answer, or does not know the checkout: with keys of another account it
 *   would know none, so that says nothing about whether it was paid; the caller retries later
 */
export async function syncPayment(ctx: CtxWith<'payments'>, { saleId }: { saleId: string }): Promise<void> {
  authorize(ctx, mayReconcile);
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'provider', 'livemode', 'provider_account_id', 'provider_session_id'])
    .select('stripe_payment_status')
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (!sale?.provider_session_id) return;
  const { port, account } = await portOfSale(ctx, sale);
  const found = await port.getCheckout(sale.provider_session_id);
  const checkout = isHalfClosed(sale, found) ? await closed(port, saleId, found.ref) : found;
  // An account that knows a payment from before accounts were recorded is the one that took it.
  if (account === null)
    await ensureProviderAccount(ctx, {
      provider: accountProviderOf(sale.provider),
      livemode: sale.livemode,
      account: await port.account(),
    });
  await applyCheckout(ctx, { saleId, checkout });
}

/**
 * A payment in parts of which a part may have been sent by half: only closing it returns that, as its last step. That may have failed,
 * so it is closed once more before the sale ends, and each time it is asked about after it has ended: without an answer for a day, it
 * ended all the same, with its checkout still open.
 */
const isHalfClosed = (
  { provider, stripe_payment_status: payment }: Pick<SaleRow, 'provider' | 'stripe_payment_status'>,
  { status, tranches }: CheckoutState,
): boolean => {
  if (!paysInParts(provider)) return false;
  if (payment === 'failed' && (status === 'open' || status === 'processing')) return true;
  return (payment === 'pending' || payment === 'failed') && status === 'canceled' && tranches.length === 0;
};

/** A checkout after it was closed, or as it is when the payment was faster. */
async function closed(port: PaymentsPort, saleId: string, ref: string): Promise<CheckoutState> {
  try {
    return await port.cancelCheckout(ref, `cancel:${saleId}`);
  } catch (error) {
    if (!(error instanceof PaymentError) || error.code !== 'conflict') throw error;
    return port.getCheckout(ref);
  }
}

/** Applies a checkout's state to its sale, in one transaction. */
export async function applyCheckout(
  ctx: Ctx,
  { saleId, checkout }: { saleId: string; checkout: CheckoutState },
): Promise<void> {
  authorize(ctx, mayReconcile);
  await ctx.db.tx(async () => {
    const locked = await lockSale(ctx, saleId);
    if (locked?.provider_session_id !== checkout.ref) return;
    const plan = planSync(await loadImage(ctx, locked, await isAvailable(ctx, locked, checkout)), checkout);
    const sale = await writeChanges(ctx, { sale: locked, ...plan, checkout });
    await ctx.db
      .q()
      .updateTable('property_sales')
      .set({
        asked_at: ctx.now(),
        ask_failures: 0,
        next_ask_at: nextAskAt(
          stateOf(sale),
          {
            createdAt: sale.created_at,
            refundRunning: hasPendingRefund(plan.image),
            disputeOpen: plan.image.disputes.some(({ status }) => status === 'open'),
          },
          ctx.now(),
        ),
      })
      .where('id', '=', saleId)
      .execute();
  });
}

const hasPendingRefund = ({ refunds }: SaleImage) => refunds.some(({ status }) => status === 'pending');

/**
 * Whether the property can still be sold to the buyer of a payment that has just arrived: it is listed, and its seller not
 * suspended. Locks it.
 */
async function isAvailable(ctx: Ctx, sale: SaleRow, checkout: CheckoutState): Promise<boolean> {
  if (checkout.status !== 'paid' || sale.sale_date) return false;
  const row = await ctx.db
    .q()
    .selectFrom('properties')
    .select('is_public')
    .where('id', '=', sale.property_id)
    .forUpdate()
    .executeTakeFirst();
  return row?.is_public === true;
}
