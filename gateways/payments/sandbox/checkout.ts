import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Query } from '#platform/db/database.ts';
import type { SandboxCheckoutsTable, SandboxRefundsTable } from '#platform/db/schema.gen.ts';
import {
  type CheckoutLine,
  type CheckoutState,
  type CheckoutStatus,
  type DisputeState,
  PaymentError,
  type Rail,
  type RefundState,
} from '../port.ts';
import { checkoutPath } from './rules.ts';

/** What a checkout keeps of the request that opened it. */
export interface KeptRequest {
  lines: CheckoutLine[];
  description: string;
  buyerEmail: string;
  successUrl: string;
  cancelUrl: string;
}

type Row = Selectable<SandboxCheckoutsTable>;

/** A checkout as the sandbox keeps it; `status` is the stored one, `statusAt` the one that the clock makes of it. */
export type Checkout = Omit<Row, 'request' | 'dispute'> & {
  request: KeptRequest;
  dispute: DisputeState | null;
};

/** A new name as the real provider of the rail gives them. */
export const newRef = (rail: Rail, kind: 'cs' | 'pi' | 're' | 'dp' | 'evt'): string =>
  rail === 'card' ? `${kind}_sandbox_${randomBytes(20).toString('hex')}` : randomBytes(12).toString('hex');

/** Which checkout, and how: `lock` keeps it as it is until the transaction ends, `rail` finds only that rail's. */
interface Reading {
  lock?: boolean;
  rail?: Rail;
}

/** One checkout, or null when there is none of this name. */
export async function findCheckout(
  q: Query,
  ref: string,
  { lock = false, rail }: Reading = {},
): Promise<Checkout | null> {
  if (!/^\w{1,100}$/.test(ref)) return null;
  let query = q.selectFrom('sandbox_checkouts').selectAll().where('ref', '=', ref);
  if (rail) query = query.where('rail', '=', rail);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row ? { ...row, request: row.request as KeptRequest, dispute: keptDispute(row.dispute) } : null;
}

/** @throws PaymentError `not_found` */
export async function readCheckout(q: Query, ref: string, reading: Reading = {}): Promise<Checkout> {
  const checkout = await findCheckout(q, ref, reading);
  if (!checkout) throw new PaymentError('not_found', 'There is no such checkout.');
  return checkout;
}

function keptDispute(kept: unknown): DisputeState | null {
  if (kept === null) return null;
  const dispute = kept as Omit<DisputeState, 'evidenceDueAt'> & { evidenceDueAt: string | null };
  return {
    ...dispute,
    evidenceDueAt: dispute.evidenceDueAt === null ? null : new Date(dispute.evidenceDueAt),
  };
}

/** Nobody has to write that a checkout is over: from its last moment on it is. */
export function statusAt({ status, expires_at }: Checkout, now: Date): CheckoutStatus {
  return status === 'open' && expires_at.getTime() <= now.getTime() ? 'expired' : status;
}

/** The refunds of a checkout in the order in which they were asked for. */
export async function readRefunds(q: Query, ref: string): Promise<RefundState[]> {
  const rows = await q
    .selectFrom('sandbox_refunds')
    .selectAll()
    .where('checkout_ref', '=', ref)
    .orderBy('created_at')
    .orderBy('ref')
    .execute();
  return rows.map(refundState);
}

export function refundState(row: Selectable<SandboxRefundsTable>): RefundState {
  return { ref: row.ref, status: row.status, amountCents: row.amount_cents, key: row.key };
}

/** What the provider tells of a checkout. A page of its own shows the payment of a card, as its receipt. */
export function checkoutState(
  checkout: Checkout,
  refunds: RefundState[],
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
    livemode: false,
    feeCents: checkout.fee_cents,
    paymentRef: checkout.payment_ref,
    receiptUrl: status === 'paid' && checkout.rail === 'card' ? url : null,
    txHash: checkout.tx_hash,
    network: checkout.network,
    expiresAt: checkout.expires_at,
    refunds,
    dispute: checkout.dispute,
  };
}
