import type { Database } from '#platform/db/database.ts';
import { type DisputeState, PaymentError, type RefundState } from '../port.ts';
import { change, fail, pay, requireStatus, tell, withCheckout } from './change.ts';
import { type Checkout, newRef, refundState, statusAt } from './checkout.ts';
import { disputeDays, evidenceDue } from './rules.ts';

const DAY_MS = 86_400_000;

/**
 * What comes of money that was on its way: a bank transfer of days ago, or a transaction that was seen.
 * @throws PaymentError `conflict` when none is, `not_found`
 */
export function settleSandbox(
  db: Database,
  ref: string,
  outcome: 'paid' | 'failed',
  now: Date,
): Promise<void> {
  return withCheckout(db, ref, async (checkout) => {
    requireStatus(checkout, 'processing', now);
    await settle(db, checkout, outcome, now);
  });
}

/** The same for a checkout that is known to be processing and locked. */
export async function settle(
  db: Database,
  checkout: Checkout,
  outcome: 'paid' | 'failed',
  now: Date,
): Promise<void> {
  if (outcome === 'failed') await fail(db, checkout, now);
  else await pay(db, checkout, checkout.paid_by ?? 'chain', now);
}

/**
 * A transaction that arrives after its checkout has expired. Nobody can send it back on the chain: the checkout is paid.
 * @throws PaymentError `conflict` on the card rail and for a checkout that has not expired, `not_found`
 */
export function lateCrypto(db: Database, ref: string, now: Date): Promise<void> {
  return withCheckout(db, ref, async (checkout) => {
    if (checkout.rail !== 'crypto' || statusAt(checkout, now) !== 'expired')
      throw new PaymentError('conflict', 'Only an expired checkout on the chain can be paid late.');
    await pay(db, checkout, 'chain', now);
  });
}

/**
 * The payer's bank takes a payment back: a card's can be argued about, a bank transfer is lost at once.
 * @throws PaymentError `conflict` for what was not paid, is disputed already, or was paid too long ago or on the chain
 */
export function disputeSandbox(db: Database, ref: string, now: Date, reason = 'fraudulent'): Promise<void> {
  return withCheckout(db, ref, async (checkout) => {
    requireStatus(checkout, 'paid', now);
    const { paid_by: paidBy, paid_at: paidAt } = checkout;
    const last = paidBy && paidAt ? paidAt.getTime() + disputeDays(paidBy) * DAY_MS : 0;
    if (checkout.dispute || paidBy === 'chain' || now.getTime() > last)
      throw new PaymentError('conflict', 'This payment cannot be taken back.');
    const opened: DisputeState = {
      ref: newRef('card', 'dp'),
      status: 'open',
      amountCents: checkout.amount_cents,
      reason,
      evidenceDueAt: paidBy === 'card' ? evidenceDue(now) : null,
    };
    const disputed = await keepDispute(db, checkout, opened, now);
    if (paidBy === 'bank') await keepDispute(db, disputed, { ...opened, status: 'lost' }, now);
  });
}

/**
 * The end of a dispute.
 * @throws PaymentError `conflict` when none is open
 */
export function closeSandboxDispute(
  db: Database,
  ref: string,
  outcome: 'won' | 'lost',
  now: Date,
): Promise<void> {
  return withCheckout(db, ref, async (checkout) => {
    if (checkout.dispute?.status !== 'open')
      throw new PaymentError('conflict', 'There is no open dispute about this payment.');
    await keepDispute(db, checkout, { ...checkout.dispute, status: outcome }, now);
  });
}

const keepDispute = (db: Database, checkout: Checkout, dispute: DisputeState, now: Date) =>
  change(db, checkout, { about: 'dispute', dispute }, { dispute: JSON.stringify(dispute) }, now);

/**
 * What comes of a refund. On the card rail one that had succeeded can still come back from the bank.
 * @throws PaymentError `conflict` when it has ended, `not_found`
 */
export async function settleSandboxRefund(
  db: Database,
  refundRef: string,
  outcome: 'succeeded' | 'failed',
  now: Date,
): Promise<void> {
  const query = db.q().selectFrom('sandbox_refunds').select('checkout_ref').where('ref', '=', refundRef);
  const refund = await query.executeTakeFirst();
  if (!refund) throw new PaymentError('not_found', 'There is no such refund.');
  return withCheckout(db, refund.checkout_ref, async (checkout) => {
    const mayComeBack = outcome === 'failed' && checkout.rail === 'card';
    const from = mayComeBack ? (['pending', 'succeeded'] as const) : (['pending'] as const);
    const ended = await endRefund(db, checkout, { ref: refundRef, from, outcome }, now);
    if (!ended) throw new PaymentError('conflict', 'This refund has ended.');
  });
}

/** Ends a refund of a locked checkout and tells of it; false when it is in none of the states `from`. */
export async function endRefund(
  db: Database,
  checkout: Checkout,
  end: { ref: string; from: readonly RefundState['status'][]; outcome: 'succeeded' | 'failed' },
  now: Date,
): Promise<boolean> {
  const refund = await db
    .q()
    .updateTable('sandbox_refunds')
    .set({ status: end.outcome })
    .where('ref', '=', end.ref)
    .where('status', 'in', end.from)
    .returningAll()
    .executeTakeFirst();
  if (!refund) return false;
  await tell(db, checkout, { about: 'refund', refund: refundState(refund) }, now);
  return true;
}
