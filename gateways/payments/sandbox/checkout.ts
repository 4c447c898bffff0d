import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxCheckoutsTable, SandboxRefundsTable } from '#platform/db/schema.gen.ts';
import {
  type CheckoutLine,
  type CheckoutState,
  type CheckoutStatus,
  PaymentError,
  type PaymentMethod,
  type RefundState,
} from '../port.ts';
import { checkoutPath, type SandboxAccount } from './rules.ts';

/** What a checkout stores of the request that opened it. */
interface StoredRequest {
  lines: CheckoutLine[];
  description: string;
  buyerEmail: string;
  successUrl: string;
  cancelUrl: string;
}

type Row = Selectable<SandboxCheckoutsTable>;

/** A checkout as stored by the sandbox; `status` is the stored one, `statusAt` takes expiry into account. */
export type Checkout = Omit<Row, 'request'> & { request: StoredRequest };

/** A new reference in the format of the real provider. */
export const createRef = (rail: PaymentMethod, kind: 'cs' | 'pi' | 're' | 'dp' | 'evt'): string =>
  rail === 'card' ? `${kind}_sandbox_${randomBytes(20).toString('hex')}` : randomBytes(12).toString('hex');

/** `lock` locks the row until the transaction ends; `of` finds only checkouts of that account. */
interface FindOptions {
  lock?: boolean;
  of?: SandboxAccount;
}

/** One checkout, or null when it does not exist. */
export async function findCheckout(
  db: Database,
  ref: string,
  { lock = false, of }: FindOptions = {},
): Promise<Checkout | null> {
  if (!/^\w{1,100}$/.test(ref)) return null;
  let query = db.q().selectFrom('sandbox_checkouts').selectAll().where('ref', '=', ref);
  if (of)
    query = query
      .where('rail', '=', of.rail)
      .where('account', '=', of.account)
      .where('livemode', '=', of.livemode);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row ? { ...row, request: row.request as StoredRequest } : null;
}

/** @throws PaymentError `not_found` */
export async function readCheckout(db: Database, ref: string, options: FindOptions = {}): Promise<Checkout> {
  const checkout = await findCheckout(db, ref, options);
  if (!checkout) throw new PaymentError('not_found', 'There is no such checkout.');
  return checkout;
}

/** An open checkout counts as expired from its expiry on, even before that is stored. */
export function statusAt({ status, expires_at }: Checkout, now: Date): CheckoutStatus {
  return status === 'open' && expires_at.getTime() <= now.getTime() ? 'expired' : status;
}

/** The refunds of a checkout in order of creation. */
export async function readRefunds(db: Database, ref: string): Promise<RefundState[]> {
  return (await readRefundRows(db, ref)).map(refundState);
}

/** The same as stored. */
export const readRefundRows = (db: Database, ref: string): Promise<Selectable<SandboxRefundsTable>[]> =>
  db
    .q()
    .selectFrom('sandbox_refunds')
    .selectAll()
    .where('checkout_ref', '=', ref)
    .orderBy('created_at')
    .orderBy('ref')
    .execute();

/** Converts a refund to a RefundState; one that waits for the buyer is pending. */
export function refundState(row: Selectable<SandboxRefundsTable>): RefundState {
  const status = row.status === 'requires_action' ? 'pending' : row.status;
  return { ref: row.ref, status, amountCents: row.amount_cents, key: row.key };
}

/** Converts a checkout to a CheckoutState. Its page doubles as the receipt of a card payment. */
export function checkoutState(
  checkout: Checkout,
  { refunds, disputes }: Pick<CheckoutState, 'refunds' | 'disputes'>,
  { now, publicUrl }: { now: Date; publicUrl: string },
): CheckoutState {
  const status = statusAt(checkout, now);
  const url = publicUrl + checkoutPath(checkout.ref);
  return {
    ref: checkout.ref,
    url: status === 'open' ? url : null,
    status,
    saleId: checkout.sale_id,
    amountCents: checkout.amount_cents,
    currency: 'usd',
    livemode: checkout.livemode,
    feeCents: checkout.fee_cents,
    paymentRef: checkout.payment_ref,
    paidWith: checkout.paid_by,
    receiptUrl: status === 'paid' && checkout.rail === 'card' ? url : null,
    txHash: checkout.tx_hash,
    network: checkout.network,
    expiresAt: checkout.expires_at,
    refunds,
    disputes,
  };
}
