import { randomBytes } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';
import { PaymentError } from '../../payments/port.ts';
import { lockAvailableCents, recordMovement } from '../../payments/sandbox/ledger.ts';
import type { SandboxAccount } from '../../payments/sandbox/rules.ts';
import type { PayoutReversal } from '../port.ts';
import { validateReversal } from '../request.ts';
import { findByKey, type PayoutRow, readItems } from './records.ts';
import { announceItem, type MessageMode } from './webhook.ts';

interface ReversalRequest {
  payoutKey: string;
  amountCents: number;
}

/**
 * Takes back a part of a payout, the last items first, in the running transaction.
 * @throws PaymentError `invalid` amount, `not_found`, `limit` beyond what is left, `declined` when the seller's balance does not
 *   cover it, `conflict` for a key that was used for another amount
 */
export async function reversePayout(
  db: Database,
  who: SandboxAccount,
  request: ReversalRequest,
  key: string,
  now: Date,
  messages: MessageMode,
): Promise<PayoutReversal> {
  validateReversal(request);
  await lockAvailableCents(db, who, now);
  const payout = await findByKey(db, who, request.payoutKey);
  if (!payout) throw new PaymentError('not_found', 'There is no such payout');
  const items = await readItems(db, payout.id);
  const before = await madeWith(db, key);
  if (before.length > 0) {
    const sum = before.reduce((total, { amount_cents }) => total + amount_cents, 0);
    const same = before.every(({ item_ref }) => items.some(({ ref }) => ref === item_ref));
    if (!same || sum !== request.amountCents)
      throw new PaymentError('conflict', 'This key was used for another reversal');
    return { reversedCents: sum, refs: before.map(({ ref }) => ref) };
  }
  const left = items.reduce((sum, item) => sum + item.amount_cents - item.returned_cents, 0);
  if (request.amountCents > left) throw new PaymentError('limit', 'More than what is left of the payout');
  await takeFromBalance(db, payout, request.amountCents);
  let missing = request.amountCents;
  const refs: string[] = [];
  for (const [position, item] of [...items.entries()].toReversed()) {
    const cents = Math.min(missing, item.amount_cents - item.returned_cents);
    if (cents <= 0) continue;
    missing -= cents;
    const returned = item.returned_cents + cents;
    const ref = `trr_sandbox_${randomBytes(16).toString('hex')}`;
    refs.push(ref);
    const reversal = { ref, item_ref: item.ref, key, amount_cents: cents, created_at: now };
    await db.q().insertInto('sandbox_reversals').values(reversal).execute();
    const changed = await db
      .q()
      .updateTable('sandbox_payout_items')
      .set({ returned_cents: returned, ...(returned === item.amount_cents && { state: 'reversed' }) })
      .where('ref', '=', item.ref)
      .returningAll()
      .executeTakeFirstOrThrow();
    const back = { amountCents: cents, objectRef: item.ref, saleId: payout.sale_id };
    await recordMovement(db, who, { kind: 'transfer_return', ...back }, now);
    await announceItem(db, payout, changed, position, now, messages);
  }
  return { reversedCents: request.amountCents, refs };
}

const madeWith = (db: Database, key: string) =>
  db.q().selectFrom('sandbox_reversals').selectAll().where('key', '=', key).orderBy('id').execute();

async function takeFromBalance(db: Database, { destination }: PayoutRow, cents: number): Promise<void> {
  const taken = await db
    .q()
    .updateTable('sandbox_accounts')
    .set((each) => ({ balance_cents: each('balance_cents', '-', cents) }))
    .where('ref', '=', destination)
    .where('balance_cents', '>=', cents)
    .executeTakeFirst();
  if (taken.numUpdatedRows === 0n)
    throw new PaymentError('declined', "The seller's balance does not cover this");
}
