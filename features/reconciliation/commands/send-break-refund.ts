import { openTask } from '#features/tasks/commands/open-task.ts';
import { KEY_LASTS_MS, PaymentError, type RefundState } from '#gateways/payments/port.ts';
import { providerOfCheckout } from '#gateways/payments/providers.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { asSystem } from '../as-system.ts';
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
  const bound = { livemode: refund.livemode, account: refund.account_ref };
  const port = ctx.payments.of(providerOfCheckout(refund.provider, refund.checkout_ref), bound);
  const carriedOut = async (): Promise<RefundState | undefined> => {
    try {
      const { refunds } = await port.getCheckout(refund.checkout_ref);
      return refunds.find(({ key }) => key === refund.idempotency_key);
    } catch (error) {
      // Nothing of a checkout that the provider does not know was sent back.
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
    await sent(
      await port.refund(
        { ref: refund.checkout_ref, amountCents: refund.amount_cents, reason: refund.reason },
        refund.idempotency_key,
      ),
    );
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
      await openTask(asSystem(ctx), {
        kind: 'break_found',
        subjectId: refund.break_id,
        detail: `The refund was refused: ${error.message}`,
      });
    });
  }
}
