import { type Parts, partsSum } from '#features/ledger/allocation.ts';
import { loadBooks } from '#features/sales/load-books.ts';
import { queueRefund } from '#features/sales/refund-request.ts';
import { NOTE_MAX_LENGTH } from '#features/sales/rules.ts';
import { chargedBackCents, refundable, refundOf, type SaleBooks } from '#features/sales/sale-books.ts';
import { lockSale, type SaleRow } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { paymentLimits } from '../limits.ts';
import type { RefundRefusal, RefundResult } from '../model.ts';
import { mayDecidePayments } from '../rules.ts';

interface RefundSaleInput {
  saleId: string;
  /** of the base price, in cents: taken from the shares of both sides, pro rata */
  baseCents: number;
  /** of the buyer's fees, in cents */
  feesCents: number;
  /** for both sides; at most 2,000 characters */
  reason: string;
  /** the same for every repetition of one decision; used by somebody else it is refused */
  idempotencyKey: string;
}

/**
 * Orders a refund of a part of a payment before the release, or of any part after it. What the seller has been paid already
 * becomes a debt of the seller. The refund is sent in the background; when it fails, it is sent again.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests
 */
export async function refundSale(ctx: Ctx, input: RefundSaleInput): Promise<RefundResult> {
  const user = authorizedUser(ctx, mayDecidePayments);
  requireFreshProof(ctx);
  const { saleId, baseCents, feesCents, idempotencyKey } = input;
  if (!isUuid(saleId)) throw new NotFound();
  await takeTokens(ctx, paymentLimits.decide, user.id);
  const reason = cutText(input.reason.trim(), NOTE_MAX_LENGTH);
  const parts: Parts = { baseCents, feesCents, suspenseCents: 0 };
  return ctx.db.tx(async (): Promise<RefundResult> => {
    const sale = await lockSale(ctx, saleId);
    if (!sale) throw new NotFound();
    if (sale.buyer_id === user.id) return { ok: false, reason: 'not_yours' };
    const earlier = await orderedBefore(ctx, saleId, idempotencyKey);
    if (earlier)
      return earlier.requested_by === user.id &&
        earlier.base_cents === baseCents &&
        earlier.fees_cents === feesCents
        ? { ok: true, refundId: earlier.id, amountCents: earlier.amount_cents }
        : { ok: false, reason: 'key_used' };
    const books = await loadBooks(ctx, saleId);
    const request = refundOf(saleId, books, parts);
    const refusal = refusalOf(sale, books, parts, reason);
    if (refusal || !request) return { ok: false, reason: refusal ?? 'nothing' };
    const moved = await transitionSale(ctx, {
      sale,
      event: 'request_refund',
      by: 'admin',
      note: reason,
      amountCents: request.amountCents,
    });
    if (!moved.ok) return moved;
    const refundId = await queueRefund(ctx, { saleId, books, request, reason, requestKey: idempotencyKey });
    return { ok: true, refundId, amountCents: request.amountCents };
  });
}

const orderedBefore = (ctx: Ctx, saleId: string, key: string) =>
  ctx.db
    .q()
    .selectFrom('refunds')
    .select(['id', 'requested_by', 'base_cents', 'fees_cents', 'amount_cents'])
    .where('sale_id', '=', saleId)
    .where('request_key', '=', key)
    .executeTakeFirst();

function refusalOf(
  { escrow_status }: SaleRow,
  books: SaleBooks,
  parts: Parts,
  reason: string,
): RefundRefusal | null {
  const { baseCents, feesCents } = parts;
  const isAmount = [baseCents, feesCents].every((cents) => Number.isSafeInteger(cents) && cents >= 0);
  if (!isAmount || partsSum(parts) === 0) return 'nothing';
  if (reason === '') return 'no_reason';
  const left = refundable(books);
  if (escrow_status === 'in_escrow' && baseCents === left.baseCents && feesCents === left.feesCents)
    return 'cancel_instead';
  if (baseCents > left.baseCents || feesCents > left.feesCents) return 'too_much';
  // It would fail for ever. What a cancellation owes the buyer is paid from our bank account then.
  return chargedBackCents(books.entries) > 0 ? 'charged_back' : null;
}
