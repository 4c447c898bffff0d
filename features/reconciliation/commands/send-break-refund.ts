import { openTask } from '#features/tasks/commands/open-task.ts';
import {
  KEY_LASTS_MS,
  type PaymentBinding,
  PaymentError,
  type RefundState,
} from '#gateways/payments/port.ts';
import { providerOfCheckout } from '#gateways/payments/providers.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { asSystem } from '#platform/context.ts';
import { mayReconcileAccounts } from '../rules.ts';

/**
 * Requests the refund that is to end a break, under its recorded key: however often this runs, the money goes back once. Where the
 * key may have been forgotten, and after a refusal, the provider is asked whether an earlier call was carried out unheard. Its booking
 * is found by reconciling. A refusal is recorded, and the break's task says so.
 * @throws PaymentError while the provider cannot be reached; the job is retried
 */
export async function sendBreakRefund(
  ctx: CtxWith<'payments'>,
  { refundId }: { refundId: string },
): Promise<void> {
  authorize(ctx, mayReconcileAccounts);
  const refund = await ctx.db
    .q()
    .selectFrom('break_refunds as r')
    .innerJoin('provider_accounts as a', 'a.id', 'r.provider_account_id')
    .selectAll('r')
    .select(['a.provider', 'a.livemode', 'a.account_ref'])
    .where('r.id', '=', refundId)
    .where('r.status', '=', 'pending')
    .executeTakeFirst();
  if (!refund) return;
  // Within the running transaction, if there is one.
  const pending = () =>
    ctx.db.q().updateTable('break_refunds').where('id', '=', refundId).where('status', '=', 'pending');
  const { refundsOf, refundOnce } = refundsThrough(ctx, refund, {
    livemode: refund.livemode,
    account: refund.account_ref,
  });
  const carriedOut = async (): Promise<RefundState | undefined> => {
    try {
      return (await refundsOf()).find(({ key }) => key === refund.idempotency_key);
    } catch (error) {
      // Nothing of a payment that the provider does not know was sent back.
      if (error instanceof PaymentError && error.code === 'not_found') return undefined;
      throw error;
    }
  };
  const sent = ({ ref }: RefundState) => pending().set({ status: 'sent', provider_ref: ref }).execute();
  const isOld = ctx.now().getTime() - refund.created_at.getTime() > KEY_LASTS_MS;
  const earlier = isOld ? await carriedOut() : undefined;
  if (earlier) {
    await sent(earlier);
    return;
  }
  try {
    await sent(await refundOnce());
  } catch (error) {
    if (!(error instanceof PaymentError) || error.retryable || error.code === 'auth') throw error;
    const unheard = await carriedOut();
    if (unheard) {
      await sent(unheard);
      return;
    }
    ctx.log.error({ err: error, refund: refundId }, 'the provider refused the refund of a break');
    await ctx.db.tx(async () => {
      await pending()
        .set({ status: 'failed', failure_reason: error.message, settled_at: ctx.now() })
        .execute();
      await openTask(asSystem(ctx, 'reconciliation'), {
        kind: 'break_found',
        subjectId: refund.break_id,
        detail: `The refund was refused: ${error.message}`,
      });
    });
  }
}

interface BreakRefund {
  provider: string;
  checkout_ref: string | null;
  payment_ref: string | null;
  amount_cents: number;
  reason: string;
  idempotency_key: string;
}

/** The refunds of what a break is about: by its checkout, or by the payment where the provider lists no checkout. */
function refundsThrough(
  { payments }: CtxWith<'payments'>,
  { provider, checkout_ref: ref, payment_ref: paymentRef, amount_cents, reason, ...refund }: BreakRefund,
  bound: PaymentBinding,
): { refundsOf(): Promise<RefundState[]>; refundOnce(): Promise<RefundState> } {
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
