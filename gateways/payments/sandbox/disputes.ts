import type { Selectable, Updateable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxDisputesTable } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { evidenceFingerprint, validateEvidence } from '../evidence.ts';
import { type DisputeEvidence, type DisputeState, PaymentError, type PaymentMethod } from '../port.ts';
import { type Checkout, createRef, findCheckout, readRefundRows } from './checkout.ts';
import { recordForCheckout } from './ledger.ts';
import { endRefund } from './refunds.ts';
import {
  DISPUTE_FEE_CENTS,
  disputeDays,
  evidenceDue,
  RESPONSE_FEE_CENTS,
  type SandboxAccount,
} from './rules.ts';
import { queueWebhook, requireStatus, withCheckout } from './transitions.ts';

type Dispute = Selectable<SandboxDisputesTable>;

/** What the payer's bank disputes: the whole payment unless an amount is given; with `inquiry` it only asks. */
interface DisputeOptions {
  reason?: string;
  amountCents?: number;
  inquiry?: boolean;
}

/** The disputes of a checkout in order of creation. */
export async function readDisputes(db: Database, checkoutRef: string): Promise<DisputeState[]> {
  return (await disputeRows(db, checkoutRef)).map(disputeState);
}

const disputeRows = (db: Database, checkoutRef: string): Promise<Dispute[]> =>
  db
    .q()
    .selectFrom('sandbox_disputes')
    .selectAll()
    .where('checkout_ref', '=', checkoutRef)
    .orderBy('id')
    .execute();

function disputeState(row: Dispute): DisputeState {
  const takesEvidence = row.status === 'open' && row.answered_at === null;
  return {
    ref: row.ref,
    kind: row.kind,
    status: row.status,
    amountCents: row.amount_cents,
    returnedCents: row.returned_cents,
    feeCents: row.fee_cents,
    reason: row.reason,
    evidenceDueAt: takesEvidence ? row.evidence_due_at : null,
  };
}

/**
 * The payer's bank disputes a payment, or asks about it: a card dispute can be contested, a bank transfer is lost at once.
 * Money that is being refunded may so leave twice, as in the real world.
 * @throws PaymentError `conflict` for a payment that is unpaid, too old, in crypto or on a card fully refunded, and for more
 *   than is not yet disputed
 */
export function disputeSandbox(
  db: Database,
  ref: string,
  now: Date,
  options: DisputeOptions = {},
): Promise<void> {
  return withCheckout(db, ref, async (checkout) => {
    requireStatus(checkout, 'paid', now);
    const { paid_by: paidBy, paid_at: paidAt, amount_cents: total } = checkout;
    const last = paidBy && paidAt ? paidAt.getTime() + disputeDays(paidBy) * DAY : 0;
    const disputed = (await disputeRows(db, ref)).filter(({ status }) => status !== 'won');
    const left = disputed.reduce((sum, { amount_cents }) => sum - amount_cents, total);
    const { amountCents = total, inquiry = false } = options;
    const isBank = paidBy === 'bank';
    if (paidBy === 'chain' || now.getTime() > last || amountCents > left || amountCents <= 0)
      throw new PaymentError('conflict', 'This payment cannot be taken back.');
    if (isBank && (inquiry || amountCents !== total))
      throw new PaymentError('conflict', 'A bank transfer is returned whole or not at all.');
    if (!isBank && (await givenBack(db, ref)) === total)
      throw new PaymentError('conflict', 'A card payment that was given back cannot be disputed.');
    const dispute = await db
      .q()
      .insertInto('sandbox_disputes')
      .values({
        ref: createRef('card', 'dp'),
        checkout_ref: ref,
        kind: inquiry ? 'inquiry' : 'chargeback',
        amount_cents: amountCents,
        reason: options.reason ?? 'fraudulent',
        evidence_due_at: isBank ? null : evidenceDue(now),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await failWaitingRefunds(db, checkout, now);
    const charged = inquiry ? dispute : await withdraw(db, checkout, dispute, now);
    await announce(db, checkout, charged, 'created', now);
    if (isBank) await decide(db, checkout, charged, { status: 'lost', returnedCents: 0 }, now);
  });
}

/** What was refunded and has left the balance. */
async function givenBack(db: Database, ref: string): Promise<number> {
  const refunds = await readRefundRows(db, ref);
  const left = refunds.filter(({ status, waiting }) => status !== 'failed' && !waiting);
  return left.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** A refund that still waits for the balance fails once the payment is disputed. */
async function failWaitingRefunds(db: Database, checkout: Checkout, now: Date): Promise<void> {
  for (const { ref, waiting } of await readRefundRows(db, checkout.ref))
    if (waiting) await endRefund(db, checkout, { ref, from: ['pending'], outcome: 'failed' }, now);
}

/** A chargeback takes the money at once, and a fee that is never returned. */
async function withdraw(db: Database, checkout: Checkout, dispute: Dispute, now: Date): Promise<Dispute> {
  const movement = {
    amountCents: -dispute.amount_cents,
    feeCents: DISPUTE_FEE_CENTS,
    objectRef: dispute.ref,
  };
  await recordForCheckout(db, checkout, { kind: 'dispute', ...movement }, now);
  return update(db, dispute, { kind: 'chargeback', fee_cents: DISPUTE_FEE_CENTS });
}

/**
 * The bank makes a chargeback of its inquiry, under the same reference.
 * @throws PaymentError `conflict` when no inquiry is open
 */
export function escalateSandboxInquiry(db: Database, ref: string, now: Date): Promise<void> {
  return withOpenDispute(db, ref, async (checkout, dispute) => {
    if (dispute.kind !== 'inquiry') throw new PaymentError('conflict', 'This is no inquiry.');
    const charged = await withdraw(db, checkout, dispute, now);
    const reopened = { answered_at: null, evidence: null, evidence_due_at: evidenceDue(now) };
    await announce(db, checkout, await update(db, charged, reopened), 'updated', now);
  });
}

/** How a dispute ends; a lost one sometimes gives a part back. An inquiry only ends as `won`. */
interface Decision {
  status: 'won' | 'lost';
  returnedCents: number;
}

/**
 * Closes an open dispute, given by its reference or by that of its checkout; a lost one may give a part back.
 * @throws PaymentError `conflict` when none is open
 */
export function closeSandboxDispute(
  db: Database,
  ref: string,
  status: Decision['status'],
  now: Date,
  { returnedCents }: Partial<Decision> = {},
): Promise<void> {
  return withOpenDispute(db, ref, async (checkout, dispute) => {
    if (dispute.kind === 'inquiry' && status === 'lost')
      throw new PaymentError('conflict', 'An inquiry takes no money; it can only become a chargeback.');
    const isBack = dispute.kind === 'chargeback' && status === 'won';
    const back = returnedCents ?? (isBack ? dispute.amount_cents : 0);
    await decide(db, checkout, dispute, { status, returnedCents: back }, now);
  });
}

/** Enters what comes back; the winner also gets the fee for contesting back. */
async function decide(
  db: Database,
  checkout: Checkout,
  dispute: Dispute,
  { status, returnedCents }: Decision,
  now: Date,
): Promise<void> {
  const { ref: objectRef, kind, answered_at } = dispute;
  if (returnedCents > 0)
    await recordForCheckout(
      db,
      checkout,
      { kind: 'dispute_return', amountCents: returnedCents, objectRef },
      now,
    );
  const fee = status === 'won' && kind === 'chargeback' && answered_at ? RESPONSE_FEE_CENTS : 0;
  if (fee > 0) await recordForCheckout(db, checkout, { kind: 'fee', amountCents: fee, objectRef }, now);
  const decided = { status, returned_cents: returnedCents, fee_cents: dispute.fee_cents - fee };
  await announce(db, checkout, await update(db, dispute, decided), 'closed', now);
}

/** A chargeback that nobody answers in time is lost; nothing happens to one that was decided or answered meanwhile. */
export async function loseUnanswered(db: Database, disputeRef: string, now: Date): Promise<void> {
  const named = await findDispute(db, disputeRef);
  if (!named) return;
  await withCheckout(db, named.checkout_ref, async (checkout) => {
    const dispute = await findDispute(db, disputeRef);
    if (dispute?.status === 'open' && dispute.answered_at === null)
      await decide(db, checkout, dispute, { status: 'lost', returnedCents: 0 }, now);
  });
}

/**
 * Answers a dispute of an account, once. Contesting a chargeback costs a fee, which the winner gets back.
 * @throws PaymentError `invalid`, `not_found`, `conflict` when it is decided or its deadline has passed, or after other evidence
 */
export async function answerDispute(
  db: Database,
  who: SandboxAccount<PaymentMethod>,
  { evidence, key }: { evidence: DisputeEvidence; key: string },
  now: Date,
): Promise<DisputeState> {
  validateEvidence(evidence);
  const named = await findDispute(db, evidence.disputeRef);
  const checkout = await findCheckout(db, named?.checkout_ref ?? '', { lock: true, of: who });
  const dispute = await findDispute(db, evidence.disputeRef);
  if (!checkout || !dispute) throw new PaymentError('not_found', 'There is no such dispute.');
  const stored = { key, fingerprint: evidenceFingerprint(evidence), texts: evidence.texts };
  const before = dispute.evidence as typeof stored | null;
  if (before?.key === key && before.fingerprint === stored.fingerprint) return disputeState(dispute);
  if (dispute.status !== 'open') throw new PaymentError('conflict', `The dispute is ${dispute.status}.`);
  if (dispute.answered_at) throw new PaymentError('conflict', 'This dispute was answered before.');
  if (!dispute.evidence_due_at || dispute.evidence_due_at <= now)
    throw new PaymentError('conflict', 'The deadline for evidence has passed.');
  const fee = dispute.kind === 'chargeback' ? RESPONSE_FEE_CENTS : 0;
  if (fee > 0)
    await recordForCheckout(db, checkout, { kind: 'fee', amountCents: -fee, objectRef: dispute.ref }, now);
  const answered = await update(db, dispute, {
    answered_at: now,
    evidence: JSON.stringify(stored),
    fee_cents: dispute.fee_cents + fee,
  });
  await announce(db, checkout, answered, 'updated', now);
  return disputeState(answered);
}

/** Runs work on the open dispute of that reference, or the newest one of the checkout of that reference. */
async function withOpenDispute(
  db: Database,
  ref: string,
  work: (checkout: Checkout, dispute: Dispute) => Promise<void>,
): Promise<void> {
  const named = await findDispute(db, ref);
  await withCheckout(db, named?.checkout_ref ?? ref, async (checkout) => {
    const open = (await disputeRows(db, checkout.ref)).filter(({ status }) => status === 'open');
    const dispute = named ? open.find((each) => each.ref === ref) : open.at(-1);
    if (!dispute) throw new PaymentError('conflict', 'There is no open dispute about this payment.');
    await work(checkout, dispute);
  });
}

/** A dispute by its reference, or null when it does not exist. */
async function findDispute(db: Database, ref: string): Promise<Dispute | null> {
  const query = db.q().selectFrom('sandbox_disputes').selectAll().where('ref', '=', ref);
  return (await query.executeTakeFirst()) ?? null;
}

const update = (db: Database, { ref }: Dispute, set: Updateable<SandboxDisputesTable>): Promise<Dispute> =>
  db
    .q()
    .updateTable('sandbox_disputes')
    .set(set)
    .where('ref', '=', ref)
    .returningAll()
    .executeTakeFirstOrThrow();

const announce = (
  db: Database,
  checkout: Checkout,
  dispute: Dispute,
  what: 'created' | 'updated' | 'closed',
  now: Date,
) => queueWebhook(db, checkout, { about: 'dispute', what, dispute: disputeState(dispute) }, now);
