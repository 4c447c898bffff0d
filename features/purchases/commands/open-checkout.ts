import { paths } from '#app/paths.ts';
import { isUuid } from '#features/accounts/rules.ts';
import { PaymentError, type Payments } from '#gateways/payments/port.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { limits, takeTokens } from '#platform/limits.ts';
import type { CheckoutResult } from '../model.ts';
import { moveSale } from '../move.ts';
import { listingRefusal, mayPurchase } from '../rules.ts';
import { lockSale, type SaleRow, stateOf } from '../sale-row.ts';

/** Why a purchase ended whose checkout could not be opened; no fault of its buyer's. */
export const NOT_STARTED = 'The payment could not be started.';

export interface OpenInput {
  saleId: string;
  /** must be the sale's own where the caller names one */
  propertyId: string | null;
  /** what the caller was shown, in integer cents; only compared (B-066) */
  expectedCents: number | null;
}

/**
 * Opens the provider's page for a begun purchase, or gives the address of the one that is open (B-072). The key makes every
 * repetition the same checkout, also after a crash between the provider's answer and its record (R5).
 * @throws Unauthenticated; NotFound for a sale that is not the caller's or waits for no payment; TooManyRequests
 */
export async function openCheckout(ctx: Ctx, input: OpenInput, payments: Payments): Promise<CheckoutResult> {
  const user = authorizedUser(ctx, mayPurchase);
  if (!isUuid(input.saleId)) throw new NotFound();
  await takeTokens(ctx, limits.openCheckout, user.id);
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('id', '=', input.saleId)
    .where('buyer_id', '=', user.id)
    .executeTakeFirst();
  if (!sale || (input.propertyId !== null && input.propertyId !== sale.property_id)) throw new NotFound();
  if (sale.stripe_payment_status !== 'pending' || sale.escrow_status !== 'pending')
    return { ok: false, reason: 'unavailable' };
  if (input.expectedCents !== null && input.expectedCents !== sale.total_cents)
    return { ok: false, reason: 'price_changed' };
  if (sale.checkout_url) return { ok: true, url: sale.checkout_url };
  const refusal = await refusalNow(ctx, sale);
  if (refusal) {
    await giveUp(ctx, sale.id, `not for sale any more: ${refusal}`);
    return { ok: false, reason: refusal };
  }
  return openAtProvider(ctx, sale, user.email, payments);
}

/** Between beginning and paying a seller may have been suspended, or the listing taken away. */
async function refusalNow(ctx: Ctx, sale: SaleRow) {
  const row = await ctx.db
    .q()
    .selectFrom('properties')
    .select(['status', 'seller_suspended', 'agent_id'])
    .where('id', '=', sale.property_id)
    .executeTakeFirstOrThrow();
  return listingRefusal({
    status: row.status,
    seller: { id: row.agent_id, suspended: row.seller_suspended },
  });
}

async function openAtProvider(
  ctx: Ctx,
  sale: SaleRow,
  buyerEmail: string,
  payments: Payments,
): Promise<CheckoutResult> {
  const port = payments.of(sale.provider);
  const request = await checkoutRequest(ctx, sale, buyerEmail);
  let opened: { ref: string; url: string };
  try {
    opened = await port.createCheckout(request, `checkout:${sale.id}`);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error, sale: sale.id }, 'the provider opened no checkout');
    // The same checkout is being opened in another tab; a repetition finds it.
    if (error.code === 'conflict') return { ok: false, reason: 'provider_down' };
    // Nobody has seen the address of a checkout that may have been made: it cannot be paid, and the property is free.
    await giveUp(ctx, sale.id, error.message);
    return { ok: false, reason: error.retryable ? 'provider_down' : 'provider_refused' };
  }
  const stored = await ctx.db
    .q()
    .updateTable('property_sales')
    .set({ provider_session_id: opened.ref, checkout_url: opened.url })
    .where('id', '=', sale.id)
    .where('stripe_payment_status', '=', 'pending')
    .where('escrow_status', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  if (stored) return { ok: true, url: opened.url };
  await port.cancelCheckout(opened.ref, `cancel:${sale.id}`);
  return { ok: false, reason: 'unavailable' };
}

async function checkoutRequest(ctx: Ctx, sale: SaleRow, buyerEmail: string) {
  const q = ctx.db.q();
  const [property, fees] = await Promise.all([
    q
      .selectFrom('properties')
      .select(['address'])
      .where('id', '=', sale.property_id)
      .executeTakeFirstOrThrow(),
    q
      .selectFrom('transaction_fees')
      .select(['name', 'amount_applied_cents'])
      .where('sale_id', '=', sale.id)
      .where('applies_to', '=', 'buyer')
      .where('amount_applied_cents', '>', 0)
      .orderBy('name')
      .orderBy('id')
      .execute(),
  ]);
  const { publicUrl } = ctx.config;
  return {
    saleId: sale.id,
    lines: [
      { name: property.address, amountCents: sale.sale_price_cents },
      ...fees.map((fee) => ({ name: fee.name, amountCents: fee.amount_applied_cents })),
    ],
    amountCents: sale.total_cents,
    description: `Purchase of ${property.address}`,
    buyerEmail,
    successUrl: publicUrl + paths.buyerActivity({ tab: 'transactions', sale: sale.id }),
    cancelUrl: publicUrl + paths.purchaseLeft(sale.property_id, sale.id),
    // From the row and not from the clock: a repetition must ask for the same.
    expiresAt: sale.locked_until ?? ctx.now(),
  };
}

/** Ends a purchase for which no checkout could be opened, unless another request opened it meanwhile. */
async function giveUp(ctx: Ctx, saleId: string, note: string): Promise<void> {
  await ctx.db.tx(async (q) => {
    const sale = await lockSale(q, saleId);
    if (!sale || sale.provider_session_id !== null || stateOf(sale).payment !== 'pending') return;
    await moveSale(ctx, {
      sale,
      event: 'cancel_checkout',
      by: 'buyer',
      note,
      patch: { failure_reason: NOT_STARTED },
    });
  });
}
