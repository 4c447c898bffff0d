import { randomBytes } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';
import { PaymentError } from '../port.ts';
import { lockAvailableCents, recordMovement } from './ledger.ts';
import type { SandboxAccount } from './rules.ts';
import { requireNoTransaction } from './transitions.ts';

/** Money that leaves the balance: to our bank, or for a sale to another account. Amounts are positive. */
type Outgoing =
  | { kind: 'bank_payout'; amountCents: number }
  | { kind: 'transfer'; amountCents: number; saleId: string };

const PREFIXES = { bank_payout: 'po', transfer: 'tr' } as const;

/**
 * Moves money out of the balance and returns the reference of the payout or transfer.
 * @throws PaymentError `conflict` when the available balance does not cover it
 */
export function sendFromSandbox(
  db: Database,
  who: SandboxAccount,
  outgoing: Outgoing,
  now: Date,
): Promise<string> {
  requireNoTransaction(db);
  return db.tx(async () => {
    const { amountCents, ...movement } = outgoing;
    if (amountCents > (await lockAvailableCents(db, who, now)))
      throw new PaymentError('conflict', 'The available balance does not cover this.');
    const objectRef = `${PREFIXES[outgoing.kind]}_sandbox_${randomBytes(16).toString('hex')}`;
    await recordMovement(db, who, { ...movement, amountCents: -amountCents, objectRef }, now);
    return objectRef;
  });
}

/**
 * A payout or transfer comes back: the bank does not know the account, or we reversed it.
 * @throws PaymentError `not_found`, `conflict` when it has come back already
 */
export function returnToSandbox(db: Database, objectRef: string, now: Date): Promise<void> {
  requireNoTransaction(db);
  return db.tx(async () => {
    const movements = db.q().selectFrom('sandbox_transactions').where('object_ref', '=', objectRef);
    const sent = await movements
      .selectAll()
      .where('kind', 'in', ['bank_payout', 'transfer'])
      .executeTakeFirst();
    if (!sent) throw new PaymentError('not_found', 'There is no such payout or transfer.');
    await lockAvailableCents(db, sent, now);
    const back = await movements
      .select('ref')
      .where('kind', 'in', ['bank_payout_return', 'transfer_return'])
      .executeTakeFirst();
    if (back) throw new PaymentError('conflict', 'It has come back already.');
    const kind = sent.kind === 'transfer' ? 'transfer_return' : 'bank_payout_return';
    const saleId = sent.sale_id === null ? {} : { saleId: sent.sale_id };
    await recordMovement(db, sent, { kind, amountCents: -sent.amount_cents, objectRef, ...saleId }, now);
  });
}

/** The provider corrects the balance by an amount of its own, positive or negative. */
export function adjustSandbox(
  db: Database,
  who: SandboxAccount,
  amountCents: number,
  now: Date,
): Promise<void> {
  requireNoTransaction(db);
  return db.tx(() => recordMovement(db, who, { kind: 'adjustment', amountCents }, now));
}
