import { PaymentError, type Payments } from '#gateways/payments/port.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { moveSale } from '../move.ts';
import { refundJob } from '../refund-queue.ts';
import { mayReconcile } from '../rules.ts';
import { lockSale, stateOf } from '../sale-row.ts';
import { applyCheckout, syncPayment } from './sync-payment.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Sales in one pass of one sweep; the next pass goes on. */
export const BATCH = 200;
/** Questions to a provider at once. */
const LANES = 4;

/** Runs every minute: holds that are over, escrow that is due, refunds that lost their job (B-074, B-076, R5). */
export async function sweepSales(ctx: Ctx, payments: Payments): Promise<void> {
  authorize(ctx, mayReconcile);
  await endHolds(ctx, payments);
  await releaseDue(ctx);
  await resumeRefunds(ctx);
}

/** One sale that cannot be dealt with does not keep the others waiting. */
async function each(ctx: Ctx, ids: { id: string }[], work: (id: string) => Promise<void>): Promise<void> {
  for (const { id } of ids) {
    try {
      await work(id);
    } catch (error) {
      ctx.log.warn({ err: error, id }, 'a sweep could not deal with a sale, and will come again');
    }
  }
}

async function endHolds(ctx: Ctx, payments: Payments): Promise<void> {
  const over = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'provider', 'provider_session_id'])
    .where('stripe_payment_status', 'in', ['pending', 'processing'])
    .where('locked_until', '<', ctx.now())
    .where('frozen_at', 'is', null)
    .orderBy('locked_until')
    .limit(BATCH)
    .execute();
  await each(ctx, over, (id) => {
    const sale = over.find((one) => one.id === id);
    return endHold(ctx, id, sale?.provider ?? '', sale?.provider_session_id ?? null, payments);
  });
}

/** Before a hold ends the provider is asked: the checkout may have been paid, or must be closed first (B-074). */
async function endHold(
  ctx: Ctx,
  saleId: string,
  provider: string,
  ref: string | null,
  payments: Payments,
): Promise<void> {
  if (ref) {
    await syncPayment(ctx, saleId, payments);
    const port = payments.of(provider);
    try {
      if (await stillPending(ctx, saleId))
        await applyCheckout(ctx, saleId, await port.cancelCheckout(ref, `cancel:${saleId}`));
    } catch (error) {
      if (!(error instanceof PaymentError) || error.code !== 'conflict') throw error;
      await syncPayment(ctx, saleId, payments);
    }
    return;
  }
  await ctx.db.tx(async (q) => {
    const sale = await lockSale(q, saleId);
    if (!sale || sale.provider_session_id || stateOf(sale).payment !== 'pending') return;
    await moveSale(ctx, {
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

async function releaseDue(ctx: Ctx): Promise<void> {
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
    .limit(BATCH)
    .execute();
  await each(ctx, due, (id) =>
    ctx.db.tx(async (q) => {
      const sale = await lockSale(q, id);
      if (sale) await moveSale(ctx, { sale, event: 'auto_release', by: 'system', note: null });
    }),
  );
}

/** A refund that waits for nothing lost its job: with a process, or after the last retry. */
async function resumeRefunds(ctx: Ctx): Promise<void> {
  const lost = await ctx.db
    .q()
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'pending')
    .where('provider_ref', 'is', null)
    .where('created_at', '<', new Date(ctx.now().getTime() - DAY_MS - HOUR_MS))
    .limit(BATCH)
    .execute();
  for (const { id } of lost) await enqueue(ctx, refundJob, { refundId: id }, { key: id });
}

/**
 * Asks the providers about every sale that can still change through them, those asked longest ago first: what a lost message
 * would have said becomes known here (R3). Unpaid ones every ten minutes, refunds and escrow every hour, ended ones for a week, and
 * everything once a day for half a year: on a chain a payment comes as late as it likes, and banks argue for months.
 */
export async function reconcileSales(ctx: Ctx, payments: Payments): Promise<number> {
  authorize(ctx, mayReconcile);
  const ago = (ms: number) => new Date(ctx.now().getTime() - ms);
  const rows = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('provider_session_id', 'is not', null)
    .where((where) => where.or([where('asked_at', 'is', null), where('asked_at', '<', ago(10 * MINUTE_MS))]))
    .where((where) =>
      where.or([
        where('stripe_payment_status', 'in', ['pending', 'processing']),
        where.and([
          where('stripe_payment_status', '=', 'completed'),
          where('escrow_status', '=', 'cancelled'),
        ]),
        where.and([
          where('escrow_status', '=', 'in_escrow'),
          where.or([where('asked_at', 'is', null), where('asked_at', '<', ago(HOUR_MS))]),
        ]),
        where.and([
          where('stripe_payment_status', '=', 'failed'),
          where('created_at', '>', ago(7 * DAY_MS)),
          where.or([where('asked_at', 'is', null), where('asked_at', '<', ago(HOUR_MS))]),
        ]),
        where.and([where('created_at', '>', ago(180 * DAY_MS)), where('asked_at', '<', ago(DAY_MS))]),
      ]),
    )
    .orderBy('asked_at', (order) => order.asc().nullsFirst())
    .limit(BATCH)
    .execute();
  const lanes = Array.from({ length: LANES }, (_, lane) => rows.filter((_row, at) => at % LANES === lane));
  await Promise.all(lanes.map((lane) => each(ctx, lane, (id) => syncPayment(ctx, id, payments))));
  return rows.length;
}
