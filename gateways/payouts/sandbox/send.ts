import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { PaymentError } from '../../payments/port.ts';
import { lockAvailableCents, recordMovement } from '../../payments/sandbox/ledger.ts';
import type { SandboxAccount } from '../../payments/sandbox/rules.ts';
import { deliverWebhooksJob } from '../../payments/sandbox/transitions.ts';
import type { PayoutFailure, PayoutMethod, PayoutRequest, PayoutState } from '../port.ts';
import { type PayoutPart, partsOf, payoutContent, splitAmount } from '../request.ts';
import {
  findByKey,
  lockSpendableCents,
  newPayPalRef,
  newTransferRef,
  type PayoutRow,
  readItems,
  readState,
} from './records.ts';
import { ITEM_FEE_CENTS, KEY_DAYS, MAX_PART_CENTS } from './rules.ts';
import { announceItem, type MessageMode } from './webhook.ts';

interface SendOptions {
  method: PayoutMethod;
  who: SandboxAccount;
  now: Date;
  /** how long an item at PayPal is processed */
  settleAfterMs: number;
  messages: MessageMode;
}

type Refusal = Exclude<PayoutFailure, 'unclaimed' | 'returned' | 'reversed' | 'blocked'>;

/**
 * Sends a payout, in the running transaction. A key that was refused entirely is forgotten when its provider forgets it.
 * @throws PaymentError `conflict` for a key that was used with other content
 */
export async function sendPayout(
  db: Database,
  request: PayoutRequest,
  options: SendOptions,
): Promise<PayoutState> {
  const { method, who, now } = options;
  await lockAvailableCents(db, who, now);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(payoutContent(request)))
    .digest('hex');
  const known = await findByKey(db, who, request.key);
  if (known && (await isRemembered(db, known, options))) {
    if (known.fingerprint !== fingerprint)
      throw new PaymentError('conflict', 'This key was used for another payout');
    return readState(db, known);
  }
  const payout = await insertPayout(db, request, fingerprint, options);
  return method === 'paypal' ? sendBatch(db, payout, options) : sendTransfers(db, payout, request, options);
}

/**
 * Transfers are looked up by their group, so one that was made is never forgotten; PayPal forgets the whole batch, and does not
 * keep the id of one that it refused.
 */
async function isRemembered(db: Database, payout: PayoutRow, { method, now }: SendOptions): Promise<boolean> {
  if (method === 'paypal' && payout.refusal !== null) return false;
  if (now.getTime() - payout.created_at.getTime() < KEY_DAYS[method] * DAY) return true;
  return method === 'stripe' && (await readItems(db, payout.id)).length > 0;
}

const insertPayout = (
  db: Database,
  { key, saleId, amountCents, destination, description }: PayoutRequest,
  fingerprint: string,
  { method, who, now }: SendOptions,
): Promise<PayoutRow> =>
  db
    .q()
    .insertInto('sandbox_payouts')
    .values({
      ref: method === 'paypal' ? newPayPalRef() : `grp_sandbox_${randomBytes(16).toString('hex')}`,
      method: method === 'paypal' ? 'paypal' : 'card',
      account: who.account,
      livemode: who.livemode,
      key,
      sale_id: saleId,
      amount_cents: amountCents,
      destination,
      description,
      fingerprint,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

async function refuse(db: Database, payout: PayoutRow, refusal: Refusal): Promise<PayoutRow> {
  await db.q().updateTable('sandbox_payouts').set({ refusal }).where('id', '=', payout.id).execute();
  return { ...payout, refusal };
}

/** PayPal takes all items or none, and processes each by itself. */
async function sendBatch(
  db: Database,
  payout: PayoutRow,
  { who, now, settleAfterMs }: SendOptions,
): Promise<PayoutState> {
  const fee = ITEM_FEE_CENTS.paypal;
  const amounts = splitAmount(payout.amount_cents, MAX_PART_CENTS.paypal);
  const refusal: Refusal | null = !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(payout.destination)
    ? 'destination_unknown'
    : payout.amount_cents + amounts.length * fee > (await lockSpendableCents(db, who, now))
      ? 'balance_short'
      : null;
  if (refusal) return readState(db, await refuse(db, payout, refusal));
  const settleAt = new Date(now.getTime() + settleAfterMs);
  const items = amounts.map((cents) => ({
    ref: newPayPalRef(),
    payout_id: payout.id,
    amount_cents: cents,
    fee_cents: fee,
    state: 'pending' as const,
    settle_at: settleAt,
    created_at: now,
  }));
  await db.q().insertInto('sandbox_payout_items').values(items).execute();
  await enqueue({ db }, deliverWebhooksJob, {}, { after: settleAt });
  return readState(db, payout);
}

/** Stripe makes one transfer after the other, and stops at the first that it refuses. */
async function sendTransfers(
  db: Database,
  payout: PayoutRow,
  request: PayoutRequest,
  { who, now, messages }: SendOptions,
): Promise<PayoutState> {
  let sent = payout;
  for (const [at, part] of partsOf(request, MAX_PART_CENTS.stripe).entries()) {
    const checked = await checkTransfer(db, who, payout.destination, part, now);
    if (typeof checked === 'string') return readState(db, await refuse(db, sent, checked));
    sent = await makeTransfer(db, sent, part, checked.availableAt, now);
    const item = (await readItems(db, payout.id)).at(-1);
    if (item) await announceItem(db, sent, item, at, now, messages);
  }
  return readState(db, sent);
}

/** Why a transfer is refused, or when its money becomes available. */
async function checkTransfer(
  db: Database,
  who: SandboxAccount,
  destination: string,
  { amountCents, source }: PayoutPart,
  now: Date,
): Promise<Refusal | { availableAt: Date }> {
  const seller = await db
    .q()
    .selectFrom('sandbox_accounts')
    .select('transfers_active')
    .where('ref', '=', destination)
    .where('account', '=', who.account)
    .where('livemode', '=', who.livemode)
    .executeTakeFirst();
  if (!seller) return 'destination_unknown';
  if (!seller.transfers_active) return 'account_inactive';
  const funds = source === null ? null : await readSource(db, who, source);
  if (source !== null && !funds) return 'other';
  if (funds && amountCents > funds.leftCents) return 'limit';
  // The transfer of a payment that is not available yet is made all the same, and becomes available with it.
  if (funds && funds.availableAt > now) return { availableAt: funds.availableAt };
  return amountCents > (await lockAvailableCents(db, who, now)) ? 'balance_short' : { availableAt: now };
}

/** A payment as the source of transfers: all of them together are at most what was paid. */
async function readSource(
  db: Database,
  who: SandboxAccount,
  paymentRef: string,
): Promise<{ leftCents: number; availableAt: Date } | null> {
  const payment = await db
    .q()
    .selectFrom('sandbox_transactions')
    .select(['amount_cents', 'available_at'])
    .where('kind', '=', 'payment')
    .where('payment_ref', '=', paymentRef)
    .where('method', '=', 'card')
    .where('account', '=', who.account)
    .where('livemode', '=', who.livemode)
    .executeTakeFirst();
  if (!payment) return null;
  const drawn = await db
    .q()
    .selectFrom('sandbox_payout_items')
    .select(['amount_cents', 'returned_cents'])
    .where('source_ref', '=', paymentRef)
    .execute();
  const leftCents = drawn.reduce(
    (left, item) => left - item.amount_cents + item.returned_cents,
    payment.amount_cents,
  );
  return { leftCents, availableAt: payment.available_at };
}

async function makeTransfer(
  db: Database,
  payout: PayoutRow,
  { amountCents, source }: PayoutPart,
  availableAt: Date,
  now: Date,
): Promise<PayoutRow> {
  const ref = newTransferRef();
  const item = { ref, payout_id: payout.id, amount_cents: amountCents, source_ref: source };
  await db
    .q()
    .insertInto('sandbox_payout_items')
    .values({ ...item, state: 'success', created_at: now })
    .execute();
  await recordMovement(
    db,
    { method: 'card', account: payout.account, livemode: payout.livemode },
    {
      kind: 'transfer',
      amountCents: -amountCents,
      objectRef: ref,
      saleId: payout.sale_id,
      availableAfterMs: availableAt.getTime() - now.getTime(),
    },
    now,
  );
  await db
    .q()
    .updateTable('sandbox_accounts')
    .set((each) => ({ balance_cents: each('balance_cents', '+', amountCents) }))
    .where('ref', '=', payout.destination)
    .execute();
  const arrivesAt = payout.arrives_at && payout.arrives_at > availableAt ? payout.arrives_at : availableAt;
  return db
    .q()
    .updateTable('sandbox_payouts')
    .set({ arrives_at: arrivesAt })
    .where('id', '=', payout.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
