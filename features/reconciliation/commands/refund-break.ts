import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { bookDifference, breakToEnd } from '../end-break.ts';
import type { BreakActionResult } from '../model.ts';
import { reasonFrom } from '../reason.ts';
import { breakRefundJob } from '../refund-job.ts';
import { isPaymentOfSale, isWholePayment } from '../refundable.ts';
import { mayEndBreaks } from '../rules.ts';

/**
 * Sends a payment back that belongs to no sale, or is a second one of a sale: the money is posted to suspense, and the provider
 * asked to refund it. The break ends when the provider has booked the refund; a refusal leaves it open, with another choice.
 * Only a whole payment that is named by a checkout or a reference of its own can be sent back, so that no sale's payment is.
 * @throws Unauthenticated, ProofRequired; Forbidden for everyone but administrators; NotFound
 */
export async function refundBreak(
  ctx: Ctx,
  { breakId, reason }: { breakId: string; reason: string },
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  requireFreshProof(ctx);
  const note = reasonFrom(reason);
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const found = await breakToEnd(ctx, breakId);
    if (!found.ok) return found;
    if (note === null) return { ok: false, reason: 'no_reason' };
    const { transaction, accountId } = found.difference;
    if (!transaction || !isWholePayment(found.difference)) return { ok: false, reason: 'not_refundable' };
    if (await isPaymentOfSale(ctx, transaction)) return { ok: false, reason: 'not_refundable' };
    await bookDifference(ctx, found, { account: 'suspense', memo: note });
    const earlier = await ctx.db
      .q()
      .selectFrom('break_refunds')
      .select('id')
      .where('break_id', '=', breakId)
      .execute();
    const refund = await ctx.db
      .q()
      .insertInto('break_refunds')
      .values({
        break_id: breakId,
        provider_account_id: accountId,
        checkout_ref: transaction.checkout_ref,
        payment_ref: transaction.payment_ref,
        amount_cents: transaction.amount_cents,
        reason: note,
        idempotency_key: `break-refund:${breakId}:${earlier.length}`,
        requested_by: user.id,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, {
      action: 'break.refund',
      entity: 'break',
      entityId: breakId,
      after: { amountCents: transaction.amount_cents, reason: note },
    });
    await enqueue(ctx, breakRefundJob, { refundId: refund.id }, { key: refund.id });
    return { ok: true };
  });
}
