import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import type { SaleRow } from './sale-row.ts';

/** Requests one refund from the provider. */
export const refundJob = defineJob<{ refundId: string }>('payments.refund', {
  retries: 12,
  retryDelaySeconds: 15,
  expireSeconds: 60,
  concurrency: 2,
  uniqueWhile: 'live',
});

/** The idempotency key of a sale's nth refund at the provider, and the number back from such a key. */
const refundKey = (saleId: string, number: number) => `refund:${saleId}:${number}`;
export const refundNumberOf = (key: string): number => Number(key.split(':').at(-1));
/**
 * Records the intent to refund the buyer in full and queues it, in the current transaction. A refund that failed before is
 * requested again under a new key, after a delay that doubles from an hour to a day.
 */
export async function queueRefund(ctx: Ctx, sale: SaleRow, reason: string): Promise<void> {
  const q = ctx.db.q();
  const earlier = await q
    .selectFrom('refunds')
    .select(['status', 'amount_cents'])
    .where('sale_id', '=', sale.id)
    .execute();
  if (earlier.some(({ status }) => status === 'pending')) return;
  const returned = earlier
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const remaining = sale.total_cents - returned;
  if (remaining <= 0) return;
  const refund = await q
    .insertInto('refunds')
    .values({
      sale_id: sale.id,
      amount_cents: remaining,
      base_cents: Math.min(remaining, sale.sale_price_cents),
      fees_cents: remaining - Math.min(remaining, sale.sale_price_cents),
      reason,
      idempotency_key: refundKey(sale.id, earlier.length),
      requested_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const failures = earlier.filter(({ status }) => status === 'failed').length;
  const wait = failures === 0 ? 0 : Math.min(24, 2 ** (failures - 1)) * HOUR;
  await enqueue(
    ctx,
    refundJob,
    { refundId: refund.id },
    { key: refund.id, ...(wait > 0 && { after: new Date(ctx.now().getTime() + wait) }) },
  );
}
