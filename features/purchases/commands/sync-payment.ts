import { paths } from '#app/paths.ts';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { costPostings } from '#features/ledger/rules.ts';
import {
  type CheckoutState,
  PaymentError,
  type Payments,
  type RefundState,
} from '#gateways/payments/port.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { Query } from '#platform/db/database.ts';
import type { SaleEvent } from '../model.ts';
import { moveSale } from '../move.ts';
import { type News, newsOf } from '../provider-news.ts';
import { numberOf } from '../refund-queue.ts';
import { mayReconcile } from '../rules.ts';
import { lockSale, type SaleRow, stateOf } from '../sale-row.ts';

/**
 * Asks the provider how a sale's payment stands and makes the moves that follow. The one door through which money becomes
 * known: messages, redirects and timers only decide when to ask (R3, B-075). Any number may run at once.
 * @throws PaymentError when the provider gives no answer; the caller asks again later
 */
export async function syncPayment(ctx: Ctx, saleId: string, payments: Payments): Promise<void> {
  authorize(ctx, mayReconcile);
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'provider', 'provider_session_id'])
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (!sale?.provider_session_id) return;
  const checkout = await askProvider(payments, sale.provider, sale.provider_session_id);
  await applyCheckout(ctx, saleId, checkout);
}

/** A checkout that its provider does not know was never paid: it counts as expired. */
async function askProvider(payments: Payments, provider: string, ref: string): Promise<CheckoutState | null> {
  try {
    return await payments.of(provider).getCheckout(ref);
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Makes the moves that an answer means, in one transaction. Null: the provider knows no such checkout. */
export async function applyCheckout(ctx: Ctx, saleId: string, checkout: CheckoutState | null): Promise<void> {
  authorize(ctx, mayReconcile);
  await ctx.db.tx(async (q) => {
    const first = await lockSale(q, saleId);
    if (!first) return;
    await q.updateTable('property_sales').set({ asked_at: ctx.now() }).where('id', '=', saleId).execute();
    if (!checkout) {
      if (stateOf(first).escrow === 'pending')
        await moveSale(ctx, {
          sale: first,
          event: 'expire_checkout',
          by: 'system',
          note: 'Unknown to the provider.',
        });
      return;
    }
    if (first.provider_session_id !== checkout.ref) return;
    const disputes = await recordedDisputes(q, saleId);
    const available = await isAvailable(q, first);
    const known = {
      saleId,
      state: stateOf(first),
      totalCents: first.total_cents,
      livemode: first.livemode,
      disputes,
      available,
    };
    for (const news of newsOf(known, checkout)) await makeMove(ctx, q, saleId, news, checkout);
    await settleRefunds(ctx, q, saleId, checkout);
    await recordCost(ctx, q, saleId, checkout);
  });
}

async function makeMove(
  ctx: Ctx,
  q: Query,
  saleId: string,
  news: News,
  checkout: CheckoutState,
): Promise<void> {
  const sale = await lockSale(q, saleId);
  if (!sale) return;
  const paid = news.event === 'confirm_payment' || news.event === 'confirm_refused_payment';
  const moved = await moveSale(ctx, {
    sale,
    ...news,
    by: 'system',
    patch: {
      ...(checkout.paymentRef && { provider_payment_id: checkout.paymentRef }),
      ...(checkout.paymentRef &&
        sale.provider === 'stripe' && { stripe_payment_intent_id: checkout.paymentRef }),
      ...(paid && {
        provider_receipt_url: checkout.receiptUrl,
        network: checkout.network,
        tx_hash: checkout.txHash,
        payment_receipt_url: paths.receipt(saleId),
      }),
      ...(!paid && news.note && isEnding(news) && { failure_reason: news.note }),
    },
  });
  if (moved.ok) await recordDispute(ctx, q, saleId, news, checkout);
}

const isEnding = ({ event }: News) =>
  event === 'fail_payment' || event === 'expire_checkout' || event === 'hold_mismatch';

/** Whether the property can still become this buyer's: for sale, and its seller not suspended (B-083). Holds it. */
async function isAvailable(q: Query, sale: SaleRow): Promise<boolean> {
  const row = await q
    .selectFrom('properties')
    .select('is_public')
    .where('id', '=', sale.property_id)
    .forUpdate()
    .executeTakeFirst();
  return row?.is_public === true;
}

async function recordedDisputes(q: Query, saleId: string): Promise<Map<string, string>> {
  const rows = await q
    .selectFrom('disputes')
    .select(['provider_ref', 'status'])
    .where('sale_id', '=', saleId)
    .where('provider_ref', 'is not', null)
    .execute();
  return new Map(rows.map(({ provider_ref, status }) => [provider_ref ?? '', status]));
}

async function recordDispute(
  ctx: Ctx,
  q: Query,
  saleId: string,
  { event }: News,
  { dispute }: CheckoutState,
): Promise<void> {
  if (!dispute) return;
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

/** Our refunds, as the provider says they stand. The refund of the whole is what ends a sale as refunded (B-086). */
async function settleRefunds(ctx: Ctx, q: Query, saleId: string, checkout: CheckoutState): Promise<void> {
  const ours = await q
    .selectFrom('refunds')
    .selectAll()
    .where('sale_id', '=', saleId)
    .where('status', 'in', ['pending', 'succeeded'])
    .orderBy('created_at')
    .execute();
  for (const refund of ours) {
    const state = checkout.refunds.find(
      ({ ref, key }) => ref === refund.provider_ref || (key !== null && key === refund.idempotency_key),
    );
    const event = state && refundNews(refund, state);
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
    const sale = event && (await lockSale(q, saleId));
    if (sale && event)
      await moveSale(ctx, {
        sale,
        event,
        by: 'system',
        note: refund.reason,
        refundNumber: numberOf(refund.idempotency_key),
      });
  }
}

/** What a refund's state means: null when it is known already, undefined when it is only to be written down. */
function refundNews(
  known: { status: string; provider_ref: string | null },
  { ref, status }: RefundState,
): SaleEvent | null | undefined {
  // One that had arrived can still come back from the buyer's bank; it cannot be on its way again.
  if (known.status === 'succeeded') return status === 'failed' ? 'return_refund' : null;
  if (status === 'pending') return known.provider_ref === ref ? null : undefined;
  return status === 'succeeded' ? 'settle_refund' : 'fail_refund';
}

/** What the provider kept, once it is known; posted once (L1). */
async function recordCost(ctx: Ctx, q: Query, saleId: string, { feeCents }: CheckoutState): Promise<void> {
  if (!feeCents) return;
  const sale = await lockSale(q, saleId);
  if (!sale?.sale_date || sale.provider_fee_cents !== null) return;
  await q
    .updateTable('property_sales')
    .set({ provider_fee_cents: feeCents })
    .where('id', '=', saleId)
    .execute();
  await postEntry(ctx, {
    key: `cost:${saleId}`,
    kind: 'L1',
    saleId,
    memo: 'Processing cost',
    postings: costPostings(feeCents),
  });
}
