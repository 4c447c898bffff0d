import { randomBytes } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxCheckoutsTable } from '#platform/db/schema.gen.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import { PaymentError } from '../port.ts';
import { type Checkout, newRef, readCheckout, statusAt } from './checkout.ts';
import { type Happening, messageAbout } from './messages.ts';
import { feeOf, NETWORK, type PaidBy } from './rules.ts';

/** What is due is done as soon as a change commits; the clock's minute finds what a lost job left behind. */
export const deliverJob = defineJob('sandbox.deliver', { cron: '* * * * *', retries: 2 });

/** @throws Error inside a transaction of the caller, which the world outside would not be part of */
export function requireOutside(db: Database): void {
  if (db.q().isTransaction) throw new Error('A payment provider was called inside a transaction');
}

/**
 * Opens a checkout for a change by the payer, a bank or the chain, in a transaction of its own: nobody else can change it
 * meanwhile, and nothing that the caller does takes it back.
 */
export async function withCheckout<T>(
  db: Database,
  ref: string,
  work: (checkout: Checkout) => Promise<T>,
): Promise<T> {
  requireOutside(db);
  return db.tx(async (q) => work(await readCheckout(q, ref, { lock: true })));
}

/** Writes what becomes of a locked checkout, and the provider's message about it in the same transaction. */
export async function change(
  db: Database,
  checkout: Checkout,
  happening: Happening,
  set: Updateable<SandboxCheckoutsTable>,
  now: Date,
): Promise<Checkout> {
  await db.q().updateTable('sandbox_checkouts').set(set).where('ref', '=', checkout.ref).execute();
  const changed = await readCheckout(db.q(), checkout.ref);
  await tell(db, changed, happening, now);
  return changed;
}

/** Puts the provider's message about a happening, if it sends one, where it is delivered from. */
export async function tell(db: Database, checkout: Checkout, happening: Happening, now: Date): Promise<void> {
  const message = messageAbout(checkout, happening, now);
  if (!message) return;
  await db
    .q()
    .insertInto('sandbox_deliveries')
    .values({
      event_id: message.eventId,
      rail: checkout.rail,
      type: message.type,
      ref: checkout.ref,
      payload: message.payload,
      created_at: now,
      next_attempt_at: now,
    })
    .execute();
  await enqueue({ db }, deliverJob, {});
}

/** @throws PaymentError `conflict` unless the checkout is in the state; the text is for the person on its page */
export function requireStatus(checkout: Checkout, wanted: 'open' | 'processing' | 'paid', now: Date): void {
  const status = statusAt(checkout, now);
  if (status !== wanted) throw new PaymentError('conflict', `This checkout is ${status}.`);
}

/** Money has arrived. */
export function pay(db: Database, checkout: Checkout, paidBy: PaidBy, now: Date): Promise<Checkout> {
  const what = checkout.status === 'processing' ? 'settled' : 'paid';
  const set = {
    ...underWay(checkout),
    status: 'paid',
    paid_by: paidBy,
    fee_cents: feeOf(paidBy, checkout.amount_cents),
    paid_at: now,
    settle_at: null,
    notice: null,
  } as const;
  return change(db, checkout, { about: 'checkout', what }, set, now);
}

/** Money is on its way: a bank transfer was submitted, or a transaction was seen. */
export async function submit(db: Database, checkout: Checkout, now: Date): Promise<Checkout> {
  const settleAt = new Date(now.getTime() + checkout.settle_after_ms);
  const paidBy = checkout.rail === 'card' ? 'bank' : 'chain';
  const set = {
    ...underWay(checkout),
    status: 'processing',
    paid_by: paidBy,
    settle_at: settleAt,
    notice: null,
  } as const;
  const changed = await change(db, checkout, { about: 'checkout', what: 'submitted' }, set, now);
  await enqueue({ db }, deliverJob, {}, { after: settleAt });
  return changed;
}

/** Money that was on its way, or asked of a wallet, will not arrive. */
export function fail(db: Database, checkout: Checkout, now: Date): Promise<Checkout> {
  const set = { status: 'failed', settle_at: null } as const;
  return change(db, checkout, { about: 'checkout', what: 'failed' }, set, now);
}

/** Closes an open checkout: by its time, or because the shop asked for it. */
export function close(
  db: Database,
  checkout: Checkout,
  what: 'expired' | 'canceled',
  now: Date,
): Promise<Checkout> {
  return change(db, checkout, { about: 'checkout', what }, { status: what }, now);
}

/** The payment inside a checkout gets its name once there is one: with a card provider its own, on a chain its hash. */
function underWay(checkout: Checkout): Updateable<SandboxCheckoutsTable> {
  if (checkout.rail === 'card') return { payment_ref: checkout.payment_ref ?? newRef('card', 'pi') };
  const hash = checkout.tx_hash ?? `0x${randomBytes(32).toString('hex')}`;
  return { tx_hash: hash, network: NETWORK };
}
