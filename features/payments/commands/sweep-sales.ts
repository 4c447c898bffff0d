import { refundJob } from '#features/sales/refund-request.ts';
import { lockSale, stateOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { mayReconcile } from '../rules.ts';
import { applyCheckout, syncPayment } from './sync-payment.ts';

/** Sales per pass of a sweep; the next pass continues. */
export const SWEEP_BATCH_SIZE = 200;
/** Concurrent requests to providers. */
const CONCURRENCY = 4;

/** Runs every minute: ends expired holds, releases escrow that is due, requeues refunds that lost their job (R5). */
export async function sweepSales(ctx: CtxWith<'payments'>): Promise<void> {
  authorize(ctx, mayReconcile);
  await endExpiredHolds(ctx);
  await releaseDueEscrow(ctx);
  await requeueLostRefunds(ctx);
}

/** A sale that fails does not stop the others. */
async function forEachSale(
  ctx: Ctx,
  ids: { id: string }[],
  work: (id: string) => Promise<void>,
): Promise<void> {
  for (const { id } of ids) {
    try {
      await work(id);
    } catch (error) {
      ctx.log.warn({ err: error, id }, 'a sweep could not deal with a sale, and will come again');
    }
  }
}

async function endExpiredHolds(ctx: CtxWith<'payments'>): Promise<void> {
  const expired = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'provider', 'provider_session_id'])
    .where('stripe_payment_status', 'in', ['pending', 'processing'])
    .where('locked_until', '<', ctx.now())
    .where('frozen_at', 'is', null)
    .orderBy('locked_until')
    .limit(SWEEP_BATCH_SIZE)
    .execute();
  await forEachSale(ctx, expired, (id) => {
    const sale = expired.find((one) => one.id === id);
    return endHold(ctx, id, sale?.provider ?? '', sale?.provider_session_id ?? null);
  });
}

/** The provider is asked before a hold ends: the checkout may have been paid, or must be closed first. */
async function endHold(
  ctx: CtxWith<'payments'>,
  saleId: string,
  provider: string,
  ref: string | null,
): Promise<void> {
  if (ref) {
    await syncPayment(ctx, { saleId });
    const port = ctx.payments.of(provider);
    try {
      if (await stillPending(ctx, saleId))
        await applyCheckout(ctx, { saleId, checkout: await port.cancelCheckout(ref, `cancel:${saleId}`) });
    } catch (error) {
      if (!(error instanceof PaymentError) || error.code !== 'conflict') throw error;
      await syncPayment(ctx, { saleId });
    }
    return;
  }
  await ctx.db.tx(async () => {
    const sale = await lockSale(ctx, saleId);
    if (!sale || sale.provider_session_id || stateOf(sale).payment !== 'pending') return;
    await transitionSale(ctx, {
      sale,
      event: 'expire_checkout',
      by: 'system',
      note: 'No checkout was opened.',
      patch: { failure_reason: 'The checkout was not opened in time.' },
    });
  });
}

async function stillPending(ctx: Ctx, saleId: string): Promise<boolean> {
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('stripe_payment_status')
    .where('id', '=', saleId)
    .executeTakeFirst();
  return sale?.stripe_payment_status === 'pending';
}

async function releaseDueEscrow(ctx: Ctx): Promise<void> {
  const due = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('escrow_status', '=', 'in_escrow')
    .where('release_due_at', '<=', ctx.now())
    .where('documents_delivered_at', 'is not', null)
    .where('frozen_at', 'is', null)
    .where('cancellation_requested_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('disputes')
            .select('disputes.id')
            .whereRef('disputes.sale_id', '=', 'property_sales.id')
            .where('disputes.status', '=', 'open'),
        ),
      ),
    )
    .orderBy('release_due_at')
    .limit(SWEEP_BATCH_SIZE)
    .execute();
  await forEachSale(ctx, due, (id) =>
    ctx.db.tx(async () => {
      const sale = await lockSale(ctx, id);
      if (sale) await transitionSale(ctx, { sale, event: 'auto_release', by: 'system', note: null });
    }),
  );
}

/** A refund still unsent after all retries lost its job: through a crash, or after the last retry. */
async function requeueLostRefunds(ctx: Ctx): Promise<void> {
  const lost = await ctx.db
    .q()
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'pending')
    .where('provider_ref', 'is', null)
    .where('created_at', '<', new Date(ctx.now().getTime() - DAY - HOUR))
    .limit(SWEEP_BATCH_SIZE)
    .execute();
  for (const { id } of lost) await enqueue(ctx, refundJob, { refundId: id }, { key: id });
}

/**
 * Syncs every sale that its provider can still change, least recently synced first, so that lost messages lose nothing (R3).
 * Unpaid and refunding sales every ten minutes, sales in escrow every hour, failed ones every hour for a week, and all sales
 * daily for half a year: on-chain payments can arrive at any time, and disputes go on for months.
 * @returns the number of sales in this pass; fewer than a full batch when nothing is left
 */
export async function reconcileSales(ctx: CtxWith<'payments'>): Promise<number> {
  authorize(ctx, mayReconcile);
  const ago = (ms: number) => new Date(ctx.now().getTime() - ms);
  const rows = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('provider_session_id', 'is not', null)
    .where((where) => where.or([where('asked_at', 'is', null), where('asked_at', '<', ago(10 * MINUTE))]))
    .where((where) =>
      where.or([
        where('stripe_payment_status', 'in', ['pending', 'processing']),
        where.and([
          where('stripe_payment_status', '=', 'completed'),
          where('escrow_status', '=', 'cancelled'),
        ]),
        where.and([
          where('escrow_status', '=', 'in_escrow'),
          where.or([where('asked_at', 'is', null), where('asked_at', '<', ago(HOUR))]),
        ]),
        where.and([
          where('stripe_payment_status', '=', 'failed'),
          where('created_at', '>', ago(7 * DAY)),
          where.or([where('asked_at', 'is', null), where('asked_at', '<', ago(HOUR))]),
        ]),
        where.and([where('created_at', '>', ago(180 * DAY)), where('asked_at', '<', ago(DAY))]),
      ]),
    )
    .orderBy('asked_at', (order) => order.asc().nullsFirst())
    .limit(SWEEP_BATCH_SIZE)
    .execute();
  const batches = Array.from({ length: CONCURRENCY }, (_, batch) =>
    rows.filter((_row, at) => at % CONCURRENCY === batch),
  );
  await Promise.all(
    batches.map((batch) => forEachSale(ctx, batch, (id) => syncPayment(ctx, { saleId: id }))),
  );
  return rows.length;
}
