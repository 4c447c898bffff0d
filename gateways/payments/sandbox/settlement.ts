import type { Database } from '#platform/db/database.ts';
import { PaymentError, type RefundState } from '../port.ts';
import { type Checkout, readRefundRows, statusAt } from './checkout.ts';
import { announceRefund, changeRefund, createRefund, endRefund } from './refunds.ts';
import { REFUND_AFTER_MS } from './rules.ts';
import { refundTranches } from './tranches.ts';
import { fail, pay, requireStatus, withCheckout } from './transitions.ts';

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
    if (checkout.method !== 'crypto' || statusAt(checkout, now) !== 'expired')
      throw new PaymentError('conflict', 'Only an expired checkout on the chain can be paid late.');
    await pay(db, checkout, 'chain', now);
  });
}

/**
 * Settles a refund. A card refund that has succeeded can still be returned by the bank.
 * @throws PaymentError `conflict` when it has already ended or waits for the balance, `not_found`
 */
export async function settleSandboxRefund(
  db: Database,
  refundRef: string,
  outcome: 'succeeded' | 'failed',
  now: Date,
): Promise<void> {
  return withCheckout(db, await checkoutOfRefund(db, refundRef), async (checkout) => {
    const mayComeBack = outcome === 'failed' && checkout.method === 'card';
    const running = ['pending', 'requires_action'] as const;
    const from = mayComeBack ? ([...running, 'succeeded'] as const) : running;
    const ended = await endRefund(db, checkout, { ref: refundRef, from, outcome }, now);
    if (!ended) throw new PaymentError('conflict', 'This refund has ended.');
  });
}

/**
 * A pending card refund waits for the buyer, who has to say where the money shall go.
 * @throws PaymentError `conflict` unless it is pending, `not_found`
 */
export async function holdSandboxRefund(db: Database, refundRef: string, now: Date): Promise<void> {
  return withCheckout(db, await checkoutOfRefund(db, refundRef), async (checkout) => {
    const refund = (await readRefundRows(db, checkout.ref)).find(({ ref }) => ref === refundRef);
    if (refund?.status !== 'pending' || refund.waiting || checkout.method !== 'card')
      throw new PaymentError('conflict', 'This refund is not pending.');
    const held = await changeRefund(db, refundRef, { status: 'requires_action' });
    await announceRefund(db, checkout, held, 'changed', now);
  });
}

/** A refund that somebody makes in the provider's dashboard: we did not ask for it, and it has no key of ours. */
export function refundInDashboard(
  db: Database,
  ref: string,
  amountCents: number,
  now: Date,
  { coversShortfall = true }: { coversShortfall?: boolean } = {},
): Promise<RefundState> {
  return withCheckout(db, ref, async (checkout) => {
    const asked = { amountCents, reason: 'requested_by_customer', key: null, coversShortfall };
    const order = { ...asked, refundAfterMs: REFUND_AFTER_MS };
    const made = checkout.in_parts
      ? await refundTranches(db, checkout, order, now)
      : await createRefund(db, checkout, order, now);
    const row = (await readRefundRows(db, ref)).find((each) => (each.batch ?? each.ref) === made.ref);
    if (row) await announceRefund(db, checkout, row, 'created', now);
    return made;
  });
}

async function checkoutOfRefund(db: Database, refundRef: string): Promise<string> {
  const query = db.q().selectFrom('sandbox_refunds').select('checkout_ref').where('ref', '=', refundRef);
  const refund = await query.executeTakeFirst();
  if (!refund) throw new PaymentError('not_found', 'There is no such refund.');
  return refund.checkout_ref;
}
