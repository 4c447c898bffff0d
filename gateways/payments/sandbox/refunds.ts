import type { Selectable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxRefundsTable } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { BANK_REFUND_DAYS, validateRefundAmount } from '../checkout-request.ts';
import { PaymentError, type RefundState } from '../port.ts';
import { type Checkout, createRef, readRefundRows, refundState } from './checkout.ts';
import { lockAvailableCents, recordForCheckout } from './ledger.ts';
import { deliverWebhooksJob, queueWebhook } from './transitions.ts';

type Refund = Selectable<SandboxRefundsTable>;

/** A refund to make; `key` is null for one made in the provider's dashboard. */
export interface RefundOrder {
  amountCents: number;
  reason: string;
  key: string | null;
  /** how long it stays pending */
  refundAfterMs: number;
  /** false: it waits for the balance (card), or is rejected (crypto) */
  coversShortfall: boolean;
}

/**
 * Refunds a locked checkout. A card refund leaves the balance at once, one in crypto when it arrives.
 * @throws PaymentError `invalid` amount, `conflict` while nothing was paid or a chargeback is not won, `limit` beyond what is
 *   left, `unavailable` in crypto while the balance does not cover it
 */
export async function createRefund(
  db: Database,
  checkout: Checkout,
  { amountCents, reason, key, refundAfterMs, coversShortfall }: RefundOrder,
  now: Date,
): Promise<RefundState> {
  validateRefundAmount(amountCents);
  await requireRefundable(db, checkout, amountCents, now);
  return refundState(
    await insertRefund(db, checkout, { amountCents, reason, key, refundAfterMs, coversShortfall }, now),
  );
}

/**
 * Makes one refund that is known to be possible; `part` says on which tranche it is drawn, as a part of which refund.
 * @throws PaymentError `unavailable` in crypto while the balance does not cover it
 */
export async function insertRefund(
  db: Database,
  checkout: Checkout,
  { amountCents, reason, key, refundAfterMs, coversShortfall }: RefundOrder,
  now: Date,
  part?: { batch: string; tranche_ref: string },
): Promise<Refund> {
  const isShort = !coversShortfall && amountCents > (await spendableCents(db, checkout, now));
  if (isShort && checkout.method === 'crypto')
    throw new PaymentError('unavailable', 'The balance does not cover the refund.');
  const settleAt = new Date(now.getTime() + refundAfterMs);
  const refund = await db
    .q()
    .insertInto('sandbox_refunds')
    .values({
      ref: createRef(checkout.method, 're'),
      checkout_ref: checkout.ref,
      ...part,
      amount_cents: amountCents,
      reason,
      key,
      waiting: isShort,
      settle_at: settleAt,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!isShort) await leave(db, checkout, refund, now);
  await enqueue({ db }, deliverWebhooksJob, {}, { after: settleAt });
  return refund;
}

async function requireRefundable(
  db: Database,
  checkout: Checkout,
  amountCents: number,
  now: Date,
): Promise<void> {
  const { ref, status, paid_by: paidBy, paid_at: paidAt, amount_cents: total } = checkout;
  if (status !== 'paid' || !paidAt)
    throw new PaymentError('conflict', 'Only what was paid can be given back.');
  const charged = await db
    .q()
    .selectFrom('sandbox_disputes')
    .select('ref')
    .where('checkout_ref', '=', ref)
    .where('kind', '=', 'chargeback')
    .where('status', '<>', 'won')
    .executeTakeFirst();
  if (charged) throw new PaymentError('conflict', 'A disputed payment cannot be given back as well.');
  if (paidBy === 'bank' && now.getTime() > paidAt.getTime() + BANK_REFUND_DAYS * DAY)
    throw new PaymentError('conflict', 'A bank transfer can be given back for 180 days.');
  const given = (await readRefundRows(db, ref)).filter((refund) => refund.status !== 'failed');
  const left = given.reduce((sum, refund) => sum - refund.amount_cents, total);
  if (amountCents > left) throw new PaymentError('limit', 'More than what is left of the payment.');
}

/** The available balance without what is promised: crypto refunds leave it only when they arrive. */
async function spendableCents(db: Database, checkout: Checkout, now: Date): Promise<number> {
  const available = await lockAvailableCents(db, checkout, now);
  if (checkout.method === 'card') return available;
  const promised = await db
    .q()
    .selectFrom('sandbox_refunds as r')
    .innerJoin('sandbox_checkouts as c', 'c.ref', 'r.checkout_ref')
    .select('r.amount_cents')
    .where('r.status', '=', 'pending')
    .where('c.method', '=', checkout.method)
    .where('c.account', '=', checkout.account)
    .where('c.livemode', '=', checkout.livemode)
    .execute();
  return promised.reduce((sum, { amount_cents }) => sum - amount_cents, available);
}

async function leave(db: Database, checkout: Checkout, refund: Refund, now: Date): Promise<void> {
  if (checkout.method === 'card') await recordRefund(db, checkout, refund, now);
}

const recordRefund = (db: Database, checkout: Checkout, refund: Refund, now: Date) =>
  recordForCheckout(
    db,
    paidBack(checkout, refund),
    { kind: 'refund', amountCents: -refund.amount_cents, objectRef: refund.batch ?? refund.ref },
    now,
  );

/** The checkout with the payment that a refund is drawn on: the tranche, where there are several. */
const paidBack = (checkout: Checkout, refund: Refund): Checkout => ({
  ...checkout,
  payment_ref: refund.tranche_ref ?? checkout.payment_ref,
});

/** Sends a refund that waited for the balance, if that now covers it. */
export async function releaseWaiting(
  db: Database,
  checkout: Checkout,
  ref: string,
  now: Date,
): Promise<void> {
  const refund = (await readRefundRows(db, checkout.ref)).find((each) => each.ref === ref);
  if (!refund?.waiting || refund.amount_cents > (await lockAvailableCents(db, checkout, now))) return;
  const takes = refund.settle_at.getTime() - refund.created_at.getTime();
  const settleAt = new Date(now.getTime() + takes);
  const set = { waiting: false, settle_at: settleAt };
  await db.q().updateTable('sandbox_refunds').set(set).where('ref', '=', ref).execute();
  await recordRefund(db, checkout, refund, now);
  await enqueue({ db }, deliverWebhooksJob, {}, { after: settleAt });
}

/** How a refund ends, and in which states it may be before. */
interface RefundEnd {
  ref: string;
  from: readonly Refund['status'][];
  outcome: 'succeeded' | 'failed';
}

/** Ends a refund of a locked checkout and sends its webhook; false when it is in none of the states `from`. */
export async function endRefund(
  db: Database,
  checkout: Checkout,
  { ref, from, outcome }: RefundEnd,
  now: Date,
): Promise<boolean> {
  const before = (await readRefundRows(db, checkout.ref)).find((each) => each.ref === ref);
  if (!before || !from.includes(before.status) || (before.waiting && outcome === 'succeeded')) return false;
  const refund = await changeRefund(db, ref, { status: outcome, waiting: false });
  const isCard = checkout.method === 'card';
  if (!isCard && outcome === 'succeeded') await recordRefund(db, checkout, refund, now);
  if (isCard && outcome === 'failed' && !before.waiting) {
    const back = { amountCents: refund.amount_cents, objectRef: refund.batch ?? ref };
    await recordForCheckout(db, paidBack(checkout, refund), { kind: 'refund_return', ...back }, now);
  }
  await announceRefund(db, checkout, refund, 'ended', now);
  return true;
}

export const changeRefund = (
  db: Database,
  ref: string,
  set: { status: Refund['status']; waiting?: boolean },
): Promise<Refund> =>
  db
    .q()
    .updateTable('sandbox_refunds')
    .set(set)
    .where('ref', '=', ref)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function announceRefund(
  db: Database,
  checkout: Checkout,
  refund: Refund,
  what: 'created' | 'changed' | 'ended',
  now: Date,
): Promise<void> {
  const refunds = (await readRefundRows(db, checkout.ref)).map(refundState);
  const said = { about: 'refund', what, refund: refundState(refund), refunds } as const;
  await queueWebhook(db, paidBack(checkout, refund), said, now);
}
