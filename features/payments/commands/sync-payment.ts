import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { costPostings } from '#features/ledger/rules.ts';
import type { SaleEvent } from '#features/sales/model.ts';
import { refundNumberOf } from '#features/sales/refund-request.ts';
import { lockSale, type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import type { CheckoutState, RefundState } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import { type CheckoutEvent, checkoutEvents } from '../checkout-events.ts';
import { mayReconcile, nextAskAt } from '../rules.ts';
import { portOfSale } from '../sale-port.ts';

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
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (!sale?.provider_session_id) return;
  const checkout = await (await portOfSale(ctx, sale)).getCheckout(sale.provider_session_id);
  await applyCheckout(ctx, { saleId, checkout });
}

/** Applies a checkout's state to its sale, in one transaction. */
export async function applyCheckout(
  ctx: Ctx,
  { saleId, checkout }: { saleId: string; checkout: CheckoutState },
): Promise<void> {
  authorize(ctx, mayReconcile);
  await ctx.db.tx(async () => {
    const first = await lockSale(ctx, saleId);
    if (!first) return;
    if (first.provider_session_id !== checkout.ref) return;
    const disputes = await recordedDisputes(ctx, saleId);
    const available = await isAvailable(ctx, first);
    const recorded = {
      saleId,
      state: stateOf(first),
      totalCents: first.total_cents,
      livemode: first.livemode,
      disputes,
      available,
    };
    let sale = first;
    for (const checkoutEvent of checkoutEvents(recorded, checkout))
      sale = await applyCheckoutEvent(ctx, sale, checkoutEvent, checkout);
    sale = await settleRefunds(ctx, sale, checkout);
    await recordProviderFee(ctx, sale, checkout);
    await ctx.db
      .q()
      .updateTable('property_sales')
      .set({
        asked_at: ctx.now(),
        ask_failures: 0,
        next_ask_at: nextAskAt(stateOf(sale), sale.created_at, ctx.now()),
      })
      .where('id', '=', saleId)
      .execute();
  });
}

/** @returns the sale as it is afterwards, moved or not */
async function applyCheckoutEvent(
  ctx: Ctx,
  sale: SaleRow,
  checkoutEvent: CheckoutEvent,
  checkout: CheckoutState,
): Promise<SaleRow> {
  const paid = checkoutEvent.event === 'confirm_payment' || checkoutEvent.event === 'confirm_refused_payment';
  const moved = await transitionSale(ctx, {
    sale,
    ...checkoutEvent,
    by: 'system',
    patch: {
      ...(checkout.paymentRef && { provider_payment_id: checkout.paymentRef }),
      ...(checkout.paymentRef &&
        sale.provider === 'stripe' && { stripe_payment_intent_id: checkout.paymentRef }),
      ...(paid && {
        provider_receipt_url: checkout.receiptUrl,
        network: checkout.network,
        tx_hash: checkout.txHash,
        payment_receipt_url: paths.receipt(sale.id),
      }),
      ...(!paid && checkoutEvent.note && isEnding(checkoutEvent) && { failure_reason: checkoutEvent.note }),
    },
  });
  if (!moved.ok) return sale;
  await recordDispute(ctx, sale.id, checkoutEvent, checkout);
  return moved.sale;
}

const isEnding = ({ event }: CheckoutEvent) =>
  event === 'fail_payment' || event === 'expire_checkout' || event === 'hold_mismatch';

/** Whether the property can still be sold: it is listed and its seller not suspended. Locks it. */
async function isAvailable(ctx: Ctx, sale: SaleRow): Promise<boolean> {
  const row = await ctx.db
    .q()
    .selectFrom('properties')
    .select('is_public')
    .where('id', '=', sale.property_id)
    .forUpdate()
    .executeTakeFirst();
  return row?.is_public === true;
}

async function recordedDisputes(ctx: Ctx, saleId: string): Promise<Map<string, string>> {
  const rows = await ctx.db
    .q()
    .selectFrom('disputes')
    .select(['provider_ref', 'status'])
    .where('sale_id', '=', saleId)
    .where('provider_ref', 'is not', null)
    .execute();
  return new Map(rows.map(({ provider_ref, status }) => [provider_ref ?? '', status]));
}

async function recordDispute(
  ctx: Ctx,
  saleId: string,
  { event, disputeRef }: CheckoutEvent,
  { disputes }: CheckoutState,
): Promise<void> {
  const dispute = disputes.find(({ ref }) => ref === disputeRef);
  if (!dispute) return;
  const q = ctx.db.q();
  if (event === 'open_dispute') {
    await q
      .insertInto('disputes')
      .values({
        sale_id: saleId,
        provider_ref: dispute.ref,
        reason: dispute.reason,
        evidence_due_at: dispute.evidenceDueAt,
        created_at: ctx.now(),
      })
      .execute();
  } else if (event === 'win_dispute' || event === 'lose_dispute') {
    await q
      .updateTable('disputes')
      .set({ status: event === 'win_dispute' ? 'won' : 'lost', closed_at: ctx.now() })
      .where('provider_ref', '=', dispute.ref)
      .execute();
  }
}

/** Updates our refunds from the provider's. A full refund ends the sale as refunded; returns the sale as it is then. */
async function settleRefunds(ctx: Ctx, before: SaleRow, checkout: CheckoutState): Promise<SaleRow> {
  const q = ctx.db.q();
  const ourRefunds = await q
    .selectFrom('refunds')
    .selectAll()
    .where('sale_id', '=', before.id)
    .where('status', 'in', ['pending', 'succeeded'])
    .orderBy('created_at')
    .execute();
  let sale = before;
  for (const refund of ourRefunds) {
    const state = checkout.refunds.find(
      ({ ref, key }) => ref === refund.provider_ref || (key !== null && key === refund.idempotency_key),
    );
    const event = state && refundEvent(refund, state);
    if (!state || event === null) continue;
    await q
      .updateTable('refunds')
      .set({
        provider_ref: state.ref,
        status: state.status,
        settled_at: state.status === 'pending' ? null : ctx.now(),
        failure_reason: state.status === 'failed' ? 'The provider could not send the money back.' : null,
      })
      .where('id', '=', refund.id)
      .execute();
    if (!event) continue;
    const moved = await transitionSale(ctx, {
      sale,
      event,
      by: 'system',
      note: refund.reason,
      refundNumber: refundNumberOf(refund.idempotency_key),
    });
    if (moved.ok) sale = moved.sale;
  }
  return sale;
}

/** The event that a refund's state means: null when there is nothing new, undefined when it only has to be recorded. */
function refundEvent(
  recorded: { status: string; provider_ref: string | null },
  { ref, status }: RefundState,
): SaleEvent | null | undefined {
  // The buyer's bank can still return a refund that had arrived; it cannot become pending again.
  if (recorded.status === 'succeeded') return status === 'failed' ? 'return_refund' : null;
  if (status === 'pending') return recorded.provider_ref === ref ? null : undefined;
  return status === 'succeeded' ? 'settle_refund' : 'fail_refund';
}

/** The provider's fee, recorded and posted to the ledger once it is known. */
async function recordProviderFee(ctx: Ctx, sale: SaleRow, { feeCents }: CheckoutState): Promise<void> {
  if (!feeCents || !sale.sale_date || sale.provider_fee_cents !== null) return;
  await ctx.db
    .q()
    .updateTable('property_sales')
    .set({ provider_fee_cents: feeCents })
    .where('id', '=', sale.id)
    .execute();
  await postEntry(ctx, {
    key: `cost:${sale.id}`,
    kind: 'L1',
    saleId: sale.id,
    providerAccountId: sale.provider_account_id,
    memo: 'Processing cost',
    postings: costPostings(feeCents),
  });
}
