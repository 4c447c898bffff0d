import { owedWithout, type SaleBooks } from '#features/sales/sale-books.ts';
import { refundTermsOf, type SaleRow } from '#features/sales/sale-row.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import type { StuckRefund } from './admin-actions.ts';

/** The oldest refund of a sale that has not left although one has failed before, or it has waited for a day. */
export async function stuckRefundOf(
  ctx: Ctx,
  viewer: UserActor,
  { sale, books }: { sale: SaleRow; books: SaleBooks },
): Promise<StuckRefund | null> {
  const hasFailed = books.refunds.some(({ status, origin }) => status === 'failed' && origin !== 'provider');
  const row = await ctx.db
    .q()
    .selectFrom('refunds')
    .select(['id', 'amount_cents', 'idempotency_key', 'bank_reference', 'recorded_by', 'created_at'])
    .where('sale_id', '=', sale.id)
    .where('status', '=', 'pending')
    .where('provider_ref', 'is', null)
    .orderBy('created_at')
    .orderBy('idempotency_key')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const hasWaited = ctx.now().getTime() - row.created_at.getTime() > DAY;
  if (!hasFailed && !hasWaited && row.bank_reference === null) return null;
  return {
    id: row.id,
    amountCents: row.amount_cents,
    owedCents: owedWithout(sale.id, refundTermsOf(sale), books, row.idempotency_key)?.amountCents ?? 0,
    reference: row.bank_reference,
    recordedByViewer: row.recorded_by === null ? null : row.recorded_by === viewer.id,
  };
}
