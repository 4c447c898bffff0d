import type { Selectable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxTranchesTable } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { BANK_REFUND_DAYS, validateRefundAmount } from '../checkout-request.ts';
import { PaymentError, type RefundState, type Tranche } from '../port.ts';
import { drawRefund } from '../refund-parts.ts';
import { type Checkout, createRef, readRefundRows, refundOfRows } from './checkout.ts';
import { recordForCheckout } from './ledger.ts';
import { insertRefund, type RefundOrder } from './refunds.ts';
import { feeOf, TRANSFER_LIMITS } from './rules.ts';
import { queueWebhook, withCheckout } from './transitions.ts';

const trancheRows = (db: Database, ref: string): Promise<Selectable<SandboxTranchesTable>[]> =>
  db.q().selectFrom('sandbox_tranches').selectAll().where('checkout_ref', '=', ref).orderBy('id').execute();

/** The transfers that have arrived for a checkout, in order. */
export const readTranches = async (db: Database, ref: string): Promise<Tranche[]> =>
  (await trancheRows(db, ref)).map((row) => ({
    ref: row.ref,
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
  }));

/**
 * A transfer arrives, whatever state its checkout is in: nobody can refuse one. It completes the payment when nothing is missing
 * anymore and the checkout is not closed.
 * @throws PaymentError `limit` beyond what one transfer carries, `conflict` for a payment in one piece, `not_found`
 */
export function sendTranche(db: Database, ref: string, amountCents: number, now: Date): Promise<void> {
  return withCheckout(db, ref, async (checkout) => {
    if (!checkout.in_parts) throw new PaymentError('conflict', 'This checkout takes no transfers.');
    await receiveTranche(db, checkout, amountCents, now);
  });
}

/**
 * The same for a locked checkout.
 * @returns the checkout afterwards
 */
export async function receiveTranche(
  db: Database,
  checkout: Checkout,
  amountCents: number,
  now: Date,
): Promise<Checkout> {
  validateRefundAmount(amountCents);
  if (amountCents > (TRANSFER_LIMITS.trancheCents ?? 0))
    throw new PaymentError('limit', 'One transfer carries at most $999,999.99.');
  const ref = createRef('card', 'pi');
  const feeCents = feeOf('transfer', amountCents);
  await db
    .q()
    .insertInto('sandbox_tranches')
    .values({
      ref,
      checkout_ref: checkout.ref,
      amount_cents: amountCents,
      fee_cents: feeCents,
      created_at: now,
    })
    .execute();
  const received_cents = checkout.received_cents + amountCents;
  const isComplete = checkout.status === 'open' && received_cents >= checkout.amount_cents;
  const fees = (await trancheRows(db, checkout.ref)).reduce((sum, { fee_cents }) => sum + fee_cents, 0);
  const set = {
    received_cents,
    ...(isComplete && {
      status: 'paid' as const,
      paid_by: 'transfer' as const,
      paid_at: now,
      fee_cents: fees,
    }),
  };
  await db.q().updateTable('sandbox_checkouts').set(set).where('ref', '=', checkout.ref).execute();
  const { available_after_ms: availableAfterMs } = checkout;
  const movement = { kind: 'payment', amountCents, feeCents, availableAfterMs } as const;
  await recordForCheckout(db, { ...checkout, payment_ref: ref }, movement, now);
  await queueWebhook(db, checkout, { about: 'tranche', ref, amountCents }, now);
  return { ...checkout, ...set };
}

/**
 * Refunds a locked checkout out of its tranches, the oldest first, as one refund with a part for each.
 * @throws PaymentError `invalid` amount, `conflict` while nothing has arrived or what has is too old, `limit` beyond what is left
 */
export async function refundTranches(
  db: Database,
  checkout: Checkout,
  order: RefundOrder,
  now: Date,
): Promise<RefundState> {
  validateRefundAmount(order.amountCents);
  const tranches = await trancheRows(db, checkout.ref);
  if (tranches.length === 0) throw new PaymentError('conflict', 'Only what was paid can be given back.');
  const oldest = now.getTime() - BANK_REFUND_DAYS * DAY;
  const young = tranches.filter(({ created_at }) => created_at.getTime() >= oldest);
  if (young.length === 0)
    throw new PaymentError('conflict', 'A bank transfer can be given back for 180 days.');
  const given = (await readRefundRows(db, checkout.ref)).filter(({ status }) => status !== 'failed');
  const rooms = young.map(({ ref, amount_cents }) => ({
    ref,
    cents: given.reduce(
      (left, refund) => (refund.tranche_ref === ref ? left - refund.amount_cents : left),
      amount_cents,
    ),
  }));
  const batch = createRef('card', 're');
  const rows = [];
  for (const { ref, cents } of drawRefund(rooms, order.amountCents)) {
    const part = { batch, tranche_ref: ref };
    rows.push(await insertRefund(db, checkout, { ...order, amountCents: cents }, now, part));
  }
  const [made] = refundOfRows(rows);
  if (!made) throw new PaymentError('invalid', 'A refund is a positive number of whole cents');
  return made;
}
