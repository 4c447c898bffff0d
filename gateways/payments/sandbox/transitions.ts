import { randomBytes } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxCheckoutsTable } from '#platform/db/schema.gen.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import { PaymentError } from '../port.ts';
import { type Checkout, createRef, readCheckout, statusAt } from './checkout.ts';
import { recordForCheckout } from './ledger.ts';
import { feeOf, NETWORK, type PaidBy } from './rules.ts';
import { type SandboxEvent, webhookFor } from './webhook.ts';

/** Runs as soon as a change commits; the cron run catches up after a lost job. */
export const deliverWebhooksJob = defineJob('sandbox.deliver', { cron: '* * * * *', retries: 2 });

/** @throws Error inside the caller's transaction: a real provider would not be rolled back with it */
export function requireNoTransaction(db: Database): void {
  if (db.q().isTransaction) throw new Error('A payment provider was called inside a transaction');
}

/**
 * Locks a checkout for a change by the payer, a bank or the blockchain, in a separate transaction that the caller cannot
 * roll back.
 */
export async function withCheckout<T>(
  db: Database,
  ref: string,
  work: (checkout: Checkout) => Promise<T>,
): Promise<T> {
  requireNoTransaction(db);
  return db.tx(async () => work(await readCheckout(db, ref, { lock: true })));
}

/** Updates a locked checkout and queues the webhook about it in the same transaction. */
async function updateCheckout(
  db: Database,
  checkout: Checkout,
  event: SandboxEvent,
  set: Updateable<SandboxCheckoutsTable>,
  now: Date,
): Promise<Checkout> {
  await db.q().updateTable('sandbox_checkouts').set(set).where('ref', '=', checkout.ref).execute();
  const changed = await readCheckout(db, checkout.ref);
  await queueWebhook(db, changed, event, now);
  return changed;
}

/** Queues the provider's webhook about an event, if it sends one. */
export async function queueWebhook(
  db: Database,
  checkout: Checkout,
  event: SandboxEvent,
  now: Date,
): Promise<void> {
  const message = webhookFor(checkout, event, now);
  if (!message) return;
  await db
    .q()
    .insertInto('sandbox_deliveries')
    .values({
      event_id: message.eventId,
      method: checkout.method,
      type: message.type,
      ref: checkout.ref,
      payload: message.payload,
      created_at: now,
      next_attempt_at: now,
    })
    .execute();
  await enqueue({ db }, deliverWebhooksJob, {});
}

/** @throws PaymentError `conflict` unless the checkout has that status; the text is shown to the payer */
export function requireStatus(checkout: Checkout, wanted: 'open' | 'processing' | 'paid', now: Date): void {
  const status = statusAt(checkout, now);
  if (status !== wanted) throw new PaymentError('conflict', `This checkout is ${status}.`);
}

/** Marks a checkout as paid, and enters the payment into the books. */
export async function pay(db: Database, checkout: Checkout, paidBy: PaidBy, now: Date): Promise<Checkout> {
  const what = checkout.status === 'processing' ? 'settled' : 'paid';
  const feeCents = feeOf(paidBy, checkout.amount_cents);
  const set = {
    ...paymentReference(checkout),
    status: 'paid',
    paid_by: paidBy,
    fee_cents: feeCents,
    paid_at: now,
    settle_at: null,
    notice: null,
  } as const;
  const paid = await updateCheckout(db, checkout, { about: 'checkout', what }, set, now);
  const { amount_cents: amountCents, available_after_ms: availableAfterMs } = checkout;
  await recordForCheckout(db, paid, { kind: 'payment', amountCents, feeCents, availableAfterMs }, now);
  return paid;
}

/** Marks a payment as pending: a bank transfer was submitted, or a transaction was seen. */
export async function submit(db: Database, checkout: Checkout, now: Date): Promise<Checkout> {
  const settleAt = new Date(now.getTime() + checkout.settle_after_ms);
  const paidBy = checkout.method === 'card' ? 'bank' : 'chain';
  const set = {
    ...paymentReference(checkout),
    status: 'processing',
    paid_by: paidBy,
    settle_at: settleAt,
    notice: null,
  } as const;
  const changed = await updateCheckout(db, checkout, { about: 'checkout', what: 'submitted' }, set, now);
  await enqueue({ db }, deliverWebhooksJob, {}, { after: settleAt });
  return changed;
}

/** Marks a payment as failed. */
export function fail(db: Database, checkout: Checkout, now: Date): Promise<Checkout> {
  const set = { status: 'failed', settle_at: null } as const;
  return updateCheckout(db, checkout, { about: 'checkout', what: 'failed' }, set, now);
}

/** Closes an open checkout because it expired or was canceled. */
export function close(
  db: Database,
  checkout: Checkout,
  what: 'expired' | 'canceled',
  now: Date,
): Promise<Checkout> {
  return updateCheckout(db, checkout, { about: 'checkout', what }, { status: what }, now);
}

/** The reference of the payment once there is one: a payment id for cards, a transaction hash for crypto. */
function paymentReference(checkout: Checkout): Updateable<SandboxCheckoutsTable> {
  if (checkout.method === 'card') return { payment_ref: checkout.payment_ref ?? createRef('card', 'pi') };
  const hash = checkout.tx_hash ?? `0x${randomBytes(32).toString('hex')}`;
  return { tx_hash: hash, network: NETWORK };
}
