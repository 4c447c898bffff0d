import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { type DisputeState, PaymentError, type RefundState } from '../port.ts';
import { type Checkout, createRef, refundState, statusAt } from './checkout.ts';
import { disputeDays, evidenceDue } from './rules.ts';
import { fail, pay, queueWebhook, requireStatus, updateCheckout, withCheckout } from './transitions.ts';

/**
 * Settles a pending payment: a submitted bank transfer, or a transaction that was seen.
 * @throws PaymentError `conflict` when none is pending, `not_found`
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

/** The same for a locked checkout that is known to be processing. */
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
 * A transaction that arrives after its checkout has expired. It cannot be reversed, so the checkout becomes paid.
 * @throws PaymentError `conflict` for cards and for a checkout that has not expired, `not_found`
 */
export function payExpiredCrypto(db: Database, ref: string, now: Date): Promise<void> {
  return withCheckout(db, ref, async (checkout) => {
    if (checkout.rail !== 'crypto' || statusAt(checkout, now) !== 'expired')
      throw new PaymentError('conflict', 'Only an expired checkout on the chain can be paid late.');
    await pay(db, checkout, 'chain', now);
  });
}

/**
 * The payer's bank disputes a payment: a card dispute can be contested, a bank transfer is lost at once.
 * @throws PaymentError `conflict` for a payment that is unpaid, already disputed, too old or in crypto
 */
export function disputeSandbox(db: Database, ref: string, now: Date, reason = 'fraudulent'): Promise<void> {
  return withCheckout(db, ref, async (checkout) => {
    requireStatus(checkout, 'paid', now);
    const { paid_by: paidBy, paid_at: paidAt } = checkout;
    const last = paidBy && paidAt ? paidAt.getTime() + disputeDays(paidBy) * DAY : 0;
    if (checkout.dispute || paidBy === 'chain' || now.getTime() > last)
      throw new PaymentError('conflict', 'This payment cannot be taken back.');
    const opened: DisputeState = {
      ref: createRef('card', 'dp'),
      kind: 'chargeback',
      status: 'open',
      amountCents: checkout.amount_cents,
      feeCents: null,
      reason,
      evidenceDueAt: paidBy === 'card' ? evidenceDue(now) : null,
    };
    const disputed = await saveDispute(db, checkout, opened, now);
    if (paidBy === 'bank') await saveDispute(db, disputed, { ...opened, status: 'lost' }, now);
  });
}

/**
 * Closes a dispute.
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
    await saveDispute(db, checkout, { ...checkout.dispute, status: outcome }, now);
  });
}

const saveDispute = (db: Database, checkout: Checkout, dispute: DisputeState, now: Date) =>
  updateCheckout(db, checkout, { about: 'dispute', dispute }, { dispute: JSON.stringify(dispute) }, now);

/**
 * Settles a refund. A card refund that has succeeded can still be returned by the bank.
 * @throws PaymentError `conflict` when it has already ended, `not_found`
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

/** Ends a refund of a locked checkout and sends its webhook; false when it is in none of the states `from`. */
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
  await queueWebhook(db, checkout, { about: 'refund', refund: refundState(refund) }, now);
  return true;
}
