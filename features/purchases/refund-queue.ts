import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import type { SaleRow } from './sale-row.ts';

const HOUR_MS = 3_600_000;

/** Asks the provider for one refund. */
export const refundJob = defineJob<{ refundId: string }>('payments.refund', {
  retries: 12,
  retryDelaySeconds: 15,
  expireSeconds: 60,
  concurrency: 2,
  once: 'live',
});

/** The key under which the provider is asked for a sale's refund of this number, and the number in such a key. */
const refundKey = (saleId: string, number: number) => `refund:${saleId}:${number}`;
export const numberOf = (key: string): number => Number(key.split(':').at(-1));

/**
 * Writes the wish to give a buyer everything back and queues it, in the running transaction. One that failed before is
 * asked for again under a key of its own, after a wait that doubles from an hour to a day.
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
  const left = sale.total_cents - returned;
  if (left <= 0) return;
  const refund = await q
    .insertInto('refunds')
    .values({
      sale_id: sale.id,
      amount_cents: left,
      reason,
      idempotency_key: refundKey(sale.id, earlier.length),
      requested_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const failures = earlier.filter(({ status }) => status === 'failed').length;
  const wait = failures === 0 ? 0 : Math.min(24, 2 ** (failures - 1)) * HOUR_MS;
  await enqueue(
    ctx,
    refundJob,
    { refundId: refund.id },
    { key: refund.id, ...(wait > 0 && { after: new Date(ctx.now().getTime() + wait) }) },
  );
}
