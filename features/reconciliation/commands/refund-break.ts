import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import type { TransactionRow } from '../difference.ts';
import { bookDifference, breakToEnd } from '../end-break.ts';
import type { BreakActionResult } from '../model.ts';
import { reasonFrom } from '../reason.ts';
import { breakRefundJob } from '../refund-job.ts';
import { mayEndBreaks } from '../rules.ts';

/**
 * Sends a payment back that belongs to no sale, or is a second one of a sale: the money is posted to suspense, and the provider
 * asked to refund it. The break ends when the provider has booked the refund; a refusal leaves it open, with another choice.
 * Only a whole payment with a checkout of its own can be sent back, so that no sale's payment is.
 * @throws Unauthenticated; Forbidden for everyone but administrators; NotFound
 */
export async function refundBreak(
  ctx: Ctx,
  { breakId, reason }: { breakId: string; reason: string },
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  const note = reasonFrom(reason);
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const found = await breakToEnd(ctx, breakId);
    if (!found.ok) return found;
    if (note === null) return { ok: false, reason: 'no_reason' };
    const { transaction, accountId, foreign, suspended, postingIds } = found.difference;
    const checkoutRef = transaction?.checkout_ref ?? null;
    const isWholePayment =
      transaction?.kind === 'payment' && transaction.amount_settled_at === null && postingIds.length === 0;
    if (!transaction || checkoutRef === null || foreign || !(isWholePayment || suspended))
      return { ok: false, reason: 'not_refundable' };
    if (await isCheckoutOfSale(ctx, transaction)) return { ok: false, reason: 'not_refundable' };
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
        checkout_ref: checkoutRef,
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

/** Whether the checkout is that of a sale which was paid with it: refunding it would return that payment. */
async function isCheckoutOfSale(
  ctx: Ctx,
  { id, provider_account_id, checkout_ref }: TransactionRow,
): Promise<boolean> {
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .select('s.id')
    .where('s.provider_session_id', '=', checkout_ref)
    .where((where) =>
      where.or([
        where('s.provider_account_id', 'is', null),
        where('s.provider_account_id', '=', provider_account_id),
      ]),
    )
    .executeTakeFirst();
  const other = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .select('id')
    .where('provider_account_id', '=', provider_account_id)
    .where('checkout_ref', '=', checkout_ref)
    .where('kind', '=', 'payment')
    .where('id', '<>', id)
    .executeTakeFirst();
  return sale !== undefined || other !== undefined;
}
