import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { portOfSale } from '#features/payments/sale-port.ts';
import { FIRST_PART_HOLD_MS, PARTS_HOLD_MS } from '#features/sales/model.ts';
import { isTestMode } from '#features/sales/rules.ts';
import { lockSale, type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { isTestBuyer } from '#features/settings/reads.ts';
import { PaymentError, type PaymentsPort } from '#gateways/payments/port.ts';
import { accountProviderOf, paysInParts } from '#gateways/payments/providers.ts';
import { CALL_TIMEOUT_MS, withTimeout } from '#gateways/payments/timeout.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { checkoutLimits } from '../limits.ts';
import type { OpenCheckoutResult, PurchaseRefusal } from '../model.ts';
import { listingRefusal, mayPurchase } from '../rules.ts';

/** The failure reason of a purchase whose checkout could not be opened; not the buyer's fault. */
export const PAYMENT_NOT_STARTED = 'The payment could not be started.';

interface OpenCheckoutInput {
  saleId: string;
  /** must match the sale when given */
  propertyId: string | null;
  /** the total shown to the caller, in integer cents; only compared */
  expectedCents: number | null;
}

/**
 * Opens the provider's checkout for a purchase, or returns the URL of the one that is open. The idempotency key makes every
 * repetition the same checkout, even after a crash between the provider's answer and its record (R5).
 * @throws Unauthenticated; NotFound for a sale that is not the caller's; TooManyRequests
 */
export async function openCheckout(
  ctx: CtxWith<'payments'>,
  input: OpenCheckoutInput,
): Promise<OpenCheckoutResult> {
  const user = authorizedUser(ctx, mayPurchase);
  if (!isUuid(input.saleId)) throw new NotFound();
  await takeTokens(ctx, checkoutLimits.open, user.id);
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('id', '=', input.saleId)
    .where('buyer_id', '=', user.id)
    .executeTakeFirst();
  if (!sale || (input.propertyId !== null && input.propertyId !== sale.property_id)) throw new NotFound();
  if (sale.escrow_status === 'cancelled') return { ok: false, reason: 'ended' };
  if (sale.stripe_payment_status !== 'pending') return { ok: false, reason: 'unavailable' };
  if (input.expectedCents !== null && input.expectedCents !== sale.total_cents)
    return { ok: false, reason: 'price_changed' };
  if (sale.checkout_url) return { ok: true, url: sale.checkout_url };
  const refusal = user.suspended ? 'account_suspended' : await currentRefusal(ctx, sale);
  if (refusal) {
    await abandonPurchase(ctx, sale.id, `no longer for sale: ${refusal}`);
    return { ok: false, reason: refusal };
  }
  return openAtProvider(ctx, sale, user.email);
}

/** Since the purchase was begun the seller may have been suspended, the listing withdrawn, or a test buyer taken off the list. */
async function currentRefusal(ctx: Ctx, sale: SaleRow): Promise<PurchaseRefusal | null> {
  if (isTestMode(ctx.config, sale) && !(await isTestBuyer(ctx))) return 'test_mode';
  const row = await ctx.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('agents as a', 'a.id', 'p.agent_id')
    .select(['p.status', 'p.seller_suspended', 'p.agent_id', 'a.archived_at'])
    .where('p.id', '=', sale.property_id)
    .executeTakeFirstOrThrow();
  return listingRefusal({
    status: row.status,
    seller: { id: row.agent_id, suspended: row.seller_suspended || row.archived_at !== null },
  });
}

async function openAtProvider(
  ctx: CtxWith<'payments'>,
  sale: SaleRow,
  buyerEmail: string,
): Promise<OpenCheckoutResult> {
  const request = await checkoutRequest(ctx, sale, buyerEmail);
  let opened: { ref: string; url: string };
  let port: PaymentsPort;
  let account: string;
  try {
    ({ port } = await portOfSale(ctx, sale));
    // Both within one limit: a provider that answers each of them late would keep the buyer waiting twice.
    ({ account, opened } = await withTimeout(CALL_TIMEOUT_MS, async () => ({
      account: await port.account(),
      opened: await port.createCheckout(request, `checkout:${sale.id}`),
    })));
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error, sale: sale.id }, 'the provider opened no checkout');
    // The same checkout is being opened in another tab; a retry will find it.
    if (error.code === 'conflict') return { ok: false, reason: 'provider_down' };
    // Nobody knows the URL of a checkout that may have been created, so it cannot be paid: release the property.
    await abandonPurchase(ctx, sale.id, error.message);
    return { ok: false, reason: error.retryable ? 'provider_down' : 'provider_refused' };
  }
  const system = asSystem(ctx, 'payments');
  const { livemode } = sale;
  const provider = accountProviderOf(sale.provider);
  const provider_account_id =
    sale.provider_account_id ?? (await ensureProviderAccount(system, { provider, livemode, account }));
  const stored = await ctx.db
    .q()
    .updateTable('property_sales')
    .set({
      provider_session_id: opened.ref,
      checkout_url: opened.url,
      provider_account_id,
      ...(paysInParts(sale.provider) && {
        locked_until: new Date(ctx.now().getTime() + FIRST_PART_HOLD_MS),
      }),
    })
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
      .orderBy('position')
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
    cancelUrl: publicUrl + purchasePaths.left(sale.property_id, sale.id),
    // From the row, not from the clock: a retry must send the same request.
    expiresAt: expiryOf(sale) ?? ctx.now(),
  };
}

/** Until when a sale waits for its payment at most; of a payment in parts, for the first one and then for the rest. */
function expiryOf({ locked_until: heldUntil, provider }: SaleRow): Date | null {
  if (!heldUntil || !paysInParts(provider)) return heldUntil;
  return new Date(heldUntil.getTime() + FIRST_PART_HOLD_MS + PARTS_HOLD_MS);
}

/** Cancels a purchase whose checkout could not be opened, unless another request has opened it in the meantime. */
async function abandonPurchase(ctx: Ctx, saleId: string, note: string): Promise<void> {
  await ctx.db.tx(async () => {
    const sale = await lockSale(ctx, saleId);
    if (!sale || sale.provider_session_id !== null || stateOf(sale).payment !== 'pending') return;
    await transitionSale(ctx, {
      sale,
      event: 'cancel_checkout',
      by: 'buyer',
      note,
      patch: { failure_reason: PAYMENT_NOT_STARTED },
    });
  });
}
