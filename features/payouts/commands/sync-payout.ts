import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { NotFound } from '#platform/errors.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { isUuid } from '#platform/uuid.ts';
import { applyPayoutState } from '../apply-payout.ts';
import type { PayoutAttempt } from '../model.ts';
import { sendPayoutJob } from '../payout-jobs.ts';
import { payoutAttempt, payoutRow, portOfPayout } from '../payout-rows.ts';
import { maySyncPayouts } from '../rules.ts';

/**
 * Asks the provider about a payout, and applies what it says. This is the only source of truth about a payout that was sent:
 * messages and timers merely trigger it (R3). One that the provider does not know is sent again under its key. Safe to run
 * concurrently.
 * @returns the payout as it is then
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound; PaymentError when the provider does not answer
 */
export async function syncPayout(
  ctx: CtxWith<'payouts'>,
  { payoutId }: { payoutId: string },
): Promise<PayoutAttempt> {
  authorize(ctx, maySyncPayouts);
  const row = isUuid(payoutId) ? await payoutRow(ctx, payoutId) : undefined;
  if (!row) throw new NotFound();
  const port = await portOfPayout(ctx, row);
  if (!port) return payoutAttempt(row);
  const { idempotency_key: key, provider_ref: ref, sent_at: sentAt } = row;
  const state = sentAt && (await port.find({ key, ref, sentAt }));
  if (state) await applyPayoutState(ctx, { payoutId, saleId: row.sale_id, state });
  else if (row.status === 'processing') await enqueue(ctx, sendPayoutJob, { payoutId }, { key: payoutId });
  return payoutAttempt((await payoutRow(ctx, payoutId)) ?? row);
}
