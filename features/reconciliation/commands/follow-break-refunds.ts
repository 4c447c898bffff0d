import { sql } from 'kysely';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { breakRefundRows, recordFailedRefund, refundsThrough } from '../break-refund.ts';
import { mayReconcileAccounts } from '../rules.ts';

/** Refunds asked about in one run. */
const BATCH = 200;
const NOT_CARRIED_OUT = 'The provider could not send the money back.';

/**
 * Asks the provider about the refunds of breaks that it has accepted and not booked: one that failed is never booked, and its break
 * could not be ended otherwise while it counts as under way. A provider that gives no answer is asked once. Called when an account has been reconciled, since what is booked ends its
 * break even when it comes back later.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function followBreakRefunds(
  ctx: CtxWith<'payments'>,
  { accountId }: { accountId: string },
): Promise<void> {
  authorize(ctx, mayReconcileAccounts);
  const sent = await breakRefundRows(ctx)
    .where('r.provider_account_id', '=', accountId)
    .where('r.status', '=', 'sent')
    // However many stay under way, they do not come first each time.
    .orderBy(sql`random()`)
    .limit(BATCH)
    .execute();
  for (const refund of sent)
    try {
      const states = await refundsThrough(ctx, refund).refundsOf();
      if (states.find(({ ref }) => ref === refund.provider_ref)?.status === 'failed')
        await recordFailedRefund(ctx, refund, {
          reason: NOT_CARRIED_OUT,
          detail: `The refund failed: ${NOT_CARRIED_OUT}`,
        });
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      ctx.log.warn(
        { err: error, refund: refund.id },
        'the provider could not be asked about the refund of a break',
      );
      // The next account waits for this one.
      if (error.retryable) return;
    }
}
