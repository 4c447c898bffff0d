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
import { combinedRefund } from '../refund-parts.ts';
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
export const createRef = (method: PaymentMethod, kind: 'cs' | 'cus' | 'pi' | 're' | 'dp' | 'evt'): string =>
  method === 'card' ? `${kind}_sandbox_${randomBytes(20).toString('hex')}` : randomBytes(12).toString('hex');

/** `lock` locks the row until the transaction ends; `of` finds only checkouts of that account, in parts or, unless told, in one piece. */
interface FindOptions {
  lock?: boolean;
  of?: SandboxAccount<PaymentMethod> & { inParts?: boolean };
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
      .where('method', '=', of.method)
      .where('account', '=', of.account)
      .where('livemode', '=', of.livemode)
      .where('in_parts', '=', of.inParts ?? false);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row ? { ...row, request: row.request as StoredRequest } : null;
}

/** @throws PaymentError `not_found` */
export async function readCheckout(db: Database, ref: string, options: FindOptions = {}): Promise<Checkout> {
  const checkout = await findCheckout(db, ref, options);
  if (!checkout) throw new PaymentError('not_found', 'There is no such checkout.');
  return checkout;
}

/**
 * An open checkout counts as expired from its expiry on, even before that is stored. One in parts does not expire: transfers can
 * arrive until it is closed, and one that is open with a part received is processing.
 */
export function statusAt(
  { status, expires_at, in_parts, received_cents }: Checkout,
  now: Date,
): CheckoutStatus {
  if (in_parts) return status === 'open' && received_cents > 0 ? 'processing' : status;
  return status === 'open' && expires_at.getTime() <= now.getTime() ? 'expired' : status;
}

/** The refunds of a checkout in order of creation; one that is drawn on several tranches is one. */
export async function readRefunds(db: Database, ref: string): Promise<RefundState[]> {
  const rows = await readRefundRows(db, ref);
  return [...Map.groupBy(rows, (row) => row.batch ?? row.ref).values()].flatMap(refundOfRows);
}

/** A refund out of its rows. */
export function refundOfRows(rows: readonly Selectable<SandboxRefundsTable>[]): RefundState[] {
  const [first] = rows;
  if (!first) return [];
  const { batch, key } = first;
  return batch === null ? [refundState(first)] : [combinedRefund({ ref: batch, key }, rows.map(refundState))];
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
  { refunds, disputes, tranches }: Pick<CheckoutState, 'refunds' | 'disputes' | 'tranches'>,
  { now, publicUrl }: { now: Date; publicUrl: string },
): CheckoutState {
  const status = statusAt(checkout, now);
  const url = publicUrl + checkoutPath(checkout.ref);
  const isPayable = status === 'open' || (checkout.in_parts && status === 'processing');
  const [first] = tranches;
  return {
    ref: checkout.ref,
    url: isPayable ? url : null,
    status,
    saleId: checkout.sale_id,
    amountCents: checkout.amount_cents,
    currency: 'usd',
    livemode: checkout.livemode,
    feeCents: first ? tranches.reduce((sum, { feeCents }) => sum + (feeCents ?? 0), 0) : checkout.fee_cents,
    paymentRef: first?.ref ?? checkout.payment_ref,
    paidWith: first ? 'transfer' : checkout.paid_by,
    receiptUrl: status === 'paid' && checkout.method === 'card' ? url : null,
    txHash: checkout.tx_hash,
    network: checkout.network,
    expiresAt: checkout.expires_at,
    tranches,
    refunds,
    disputes,
  };
}
