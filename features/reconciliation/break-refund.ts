import type { Selectable } from 'kysely';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { type PaymentBinding, PaymentError, type RefundState } from '#gateways/payments/port.ts';
import { providerOfCheckout } from '#gateways/payments/providers.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';

/** A refund that is to end a break, with the account that the payment came into. */
type BreakRefund = Selectable<DB['break_refunds']> & {
  provider: string;
  livemode: boolean;
  account_ref: string | null;
};

/** Refunds of breaks with their accounts, to be filtered. */
export const breakRefundRows = (ctx: Ctx) =>
  ctx.db
    .q()
    .selectFrom('break_refunds as r')
    .innerJoin('provider_accounts as a', 'a.id', 'r.provider_account_id')
    .selectAll('r')
    .select(['a.provider', 'a.livemode', 'a.account_ref']);

/** The refunds of what a break is about: by its checkout, or by the payment where the provider lists no checkout. */
export function refundsThrough(
  { payments }: CtxWith<'payments'>,
  { provider, checkout_ref: ref, payment_ref: paymentRef, amount_cents, reason, ...refund }: BreakRefund,
): { refundsOf(): Promise<RefundState[]>; refundOnce(): Promise<RefundState> } {
  const bound: PaymentBinding = { livemode: refund.livemode, account: refund.account_ref };
  const order = { amountCents: amount_cents, reason };
  if (ref !== null) {
    const port = payments.of(providerOfCheckout(provider, ref), bound);
    return {
      refundsOf: async () => (await port.getCheckout(ref)).refunds,
      refundOnce: () => port.refund({ ref, ...order }, refund.idempotency_key),
    };
  }
  const byPayment = payments.of(provider, bound).payments;
  if (!byPayment || paymentRef === null)
    throw new PaymentError('unavailable', `Payments of ${provider} are refunded by their checkout only`);
  return {
    refundsOf: () => byPayment.refundsOf(paymentRef),
    refundOnce: () => byPayment.refund({ paymentRef, ...order }, refund.idempotency_key),
  };
}

/** Records that a refund will not end its break, so that something else can, and has its task say so; unless its status has changed since. */
export async function recordFailedRefund(
  ctx: Ctx,
  { id, break_id: breakId, status }: Pick<BreakRefund, 'id' | 'break_id' | 'status'>,
  { reason, detail }: { reason: string; detail: string },
): Promise<void> {
  ctx.log.error({ refund: id, reason }, 'the refund of a break was not carried out');
  await ctx.db.tx(async () => {
    const failed = await ctx.db
      .q()
      .updateTable('break_refunds')
      .set({ status: 'failed', failure_reason: reason, settled_at: ctx.now() })
      .where('id', '=', id)
      .where('status', '=', status)
      .returning('id')
      .executeTakeFirst();
    if (failed)
      await openTask(asSystem(ctx, 'reconciliation'), { kind: 'break_found', subjectId: breakId, detail });
  });
}
