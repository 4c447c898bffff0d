import type { Parts } from '#features/ledger/allocation.ts';
import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import { loadBooks } from './load-books.ts';
import { nextRefund, type RefundRequest, type SaleBooks } from './sale-books.ts';
import { refundTermsOf, type SaleRow } from './sale-row.ts';

/** Requests one refund from the provider. */
export const refundJob = defineJob<{ refundId: string }>('payments.refund', {
  retries: 12,
  retryDelaySeconds: 15,
  expireSeconds: 60,
  concurrency: 2,
  uniqueWhile: 'live',
});

interface QueueInput {
  saleId: string;
  books: SaleBooks;
  request: RefundRequest;
  reason: string;
  /** the caller's key, where an administrator asked for it */
  requestKey?: string;
}

/**
 * Records the intent to refund and queues it, in the current transaction. After refunds that failed it waits, from an hour to
 * a day, twice as long each time.
 * @returns the id of the refund
 */
export async function queueRefund(
  ctx: Ctx,
  { saleId, books, request, reason, requestKey }: QueueInput,
): Promise<string> {
  const { baseCents, feesCents, suspenseCents } = request.parts;
  const { id } = await ctx.db
    .q()
    .insertInto('refunds')
    .values({
      sale_id: saleId,
      amount_cents: request.amountCents,
      base_cents: baseCents,
      fees_cents: feesCents,
      suspense_cents: suspenseCents,
      reason,
      idempotency_key: request.key,
      request_key: requestKey ?? null,
      requested_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const failures = books.refunds.filter(
    ({ status, origin }) => status === 'failed' && origin === 'platform',
  ).length;
  const wait = failures === 0 ? 0 : Math.min(24, 2 ** (failures - 1)) * HOUR;
  await enqueue(
    ctx,
    refundJob,
    { refundId: id },
    { key: id, ...(wait > 0 && { after: new Date(ctx.now().getTime() + wait) }) },
  );
  return id;
}

/** Queues what a sale owes its buyer after a transition, if anything; `again` is what a failed refund was to return. */
export async function queueOwedRefund(
  ctx: Ctx,
  sale: SaleRow,
  { reason, again }: { reason: string; again?: Parts | undefined },
): Promise<void> {
  const books = await loadBooks(ctx, sale.id);
  const request = nextRefund(sale.id, refundTermsOf(sale), books, again);
  if (request) await queueRefund(ctx, { saleId: sale.id, books, request, reason });
}
