import { NOTE_MAX_LENGTH } from '#features/sales/rules.ts';
import { lockSale } from '#features/sales/sale-row.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { Draft } from '../draft.ts';
import { paymentLimits } from '../limits.ts';
import { loadImage } from '../load-image.ts';
import type { BankReturnResult } from '../model.ts';
import { planBankReturn } from '../plan-refunds.ts';
import { mayDecidePayments } from '../rules.ts';
import { writeChanges } from '../write-changes.ts';

/**
 * Records that a refund which was paid from our own bank account came back there: the money is the buyer's as before, and is
 * refunded again, whatever has become of the sale.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests
 */
export async function returnBankRefund(
  ctx: Ctx,
  input: {
    refundId: string;
    /** what the bank says; at most 2,000 characters */
    reason: string;
  },
): Promise<BankReturnResult> {
  const user = authorizedUser(ctx, mayDecidePayments);
  requireFreshProof(ctx);
  const { refundId } = input;
  const known = isUuid(refundId) ? await readRefund(ctx, refundId) : undefined;
  if (!known) throw new NotFound();
  await takeTokens(ctx, paymentLimits.decide, user.id);
  const reason = cutText(input.reason.trim(), NOTE_MAX_LENGTH);
  if (reason === '') return { ok: false, reason: 'no_reason' };
  return ctx.db.tx(async (): Promise<BankReturnResult> => {
    const sale = await lockSale(ctx, known.sale_id);
    const refund = await readRefund(ctx, refundId);
    if (!sale || !refund) throw new Error(`The refund ${refundId} or its sale has gone`);
    if (sale.buyer_id === user.id) return { ok: false, reason: 'not_yours' };
    if (refund.origin !== 'bank' || refund.status !== 'succeeded') return { ok: false, reason: 'changed' };
    const system = asSystem(ctx, 'payments');
    const draft = new Draft(await loadImage(system, sale, false));
    const booked = draft.image.refunds.find(({ key }) => key === refund.idempotency_key);
    if (!booked) throw new Error(`The refund ${refundId} is not in the books of its sale`);
    planBankReturn(draft, booked);
    await writeChanges(system, { sale, ...draft });
    await ctx.db
      .q()
      .updateTable('refunds')
      .set({ failure_reason: reason })
      .where('id', '=', refund.id)
      .execute();
    await audit(ctx, {
      action: 'refund.record_return',
      entity: 'property_sale',
      entityId: sale.id,
      before: { bankReference: refund.bank_reference },
      after: { reason, amountCents: refund.amount_cents },
    });
    return { ok: true };
  });
}

const readRefund = (ctx: Ctx, id: string) =>
  ctx.db
    .q()
    .selectFrom('refunds')
    .select(['id', 'sale_id', 'status', 'origin', 'amount_cents', 'idempotency_key', 'bank_reference'])
    .where('id', '=', id)
    .executeTakeFirst();
