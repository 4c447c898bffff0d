import { z } from 'zod';
import { cutText } from '#platform/cut-text.ts';
import { DAY } from '#platform/durations.ts';
import { type CheckoutState, type CheckoutStatus, PaymentError, type RefundState } from '../port.ts';
import { exactCents, roundedCents } from './amount.ts';

/** Coinbase's default when no expiry is given. */
const DEFAULT_LIFETIME_MS = DAY;
const MAX_REASON_LENGTH = 500;

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const cents = z.string().transform((text, context) => centsOrIssue(exactCents(text), context));

/** Parses a Coinbase refund into a RefundState and when it arrived. */
export const CoinbaseRefund = z
  .object({
    id: z.string().min(1),
    amount: cents,
    status: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
    reason: z.string().nullish(),
    completedAt: moment.nullish(),
  })
  .transform(({ id, amount, status, reason, completedAt }): RefundState & { completedAt: Date | null } => ({
    ref: id,
    status: REFUNDS[status],
    amountCents: amount,
    key: keyFromReason(reason ?? ''),
    completedAt: completedAt ?? null,
  }));

const REFUNDS = { PENDING: 'pending', COMPLETED: 'succeeded', FAILED: 'failed' } as const;

/** The fields of a Coinbase checkout that we read. */
export const CoinbaseCheckout = z.object({
  id: z.string().regex(/^[0-9a-f]{24}$/),
  url: z.url(),
  amount: cents,
  currency: z.string().min(1),
  network: z.string(),
  status: z.enum([
    'ACTIVE',
    'PROCESSING',
    'DEACTIVATED',
    'EXPIRED',
    'COMPLETED',
    'FAILED',
    'REFUNDED',
    'PARTIALLY_REFUNDED',
  ]),
  createdAt: moment,
  updatedAt: moment,
  expiresAt: moment.nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  settlement: z
    .object({ feeAmount: z.string().transform((text, context) => centsOrIssue(roundedCents(text), context)) })
    .nullish(),
  transactionHash: z.string().nullish(),
  refunds: z.array(CoinbaseRefund).nullish(),
});
export type CoinbaseCheckout = z.infer<typeof CoinbaseCheckout>;

const STATUSES: Readonly<Record<CoinbaseCheckout['status'], CheckoutStatus>> = {
  ACTIVE: 'open',
  PROCESSING: 'processing',
  COMPLETED: 'paid',
  REFUNDED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  FAILED: 'failed',
  EXPIRED: 'expired',
  DEACTIVATED: 'canceled',
};

/** USDC counts one to one as US dollars, as it is paid out. */
export const currencyOf = ({ currency }: Pick<CoinbaseCheckout, 'currency'>): string =>
  currency === 'USDC' ? 'usd' : currency.toLowerCase();

/** Converts a Coinbase checkout to a CheckoutState. */
export function checkoutState(checkout: CoinbaseCheckout, livemode: boolean): CheckoutState {
  const status = STATUSES[checkout.status];
  const saleId = checkout.metadata?.sale_id;
  const txHash = checkout.transactionHash || null;
  return {
    ref: checkout.id,
    url: status === 'open' ? checkout.url : null,
    status,
    saleId: typeof saleId === 'string' ? saleId : null,
    amountCents: checkout.amount,
    currency: currencyOf(checkout),
    livemode,
    feeCents: status === 'paid' ? (checkout.settlement?.feeAmount ?? null) : null,
    paymentRef: null,
    paidWith: status === 'processing' || status === 'paid' ? 'chain' : null,
    receiptUrl: null,
    txHash,
    network: txHash ? checkout.network : null,
    expiresAt: checkout.expiresAt ?? new Date(checkout.createdAt.getTime() + DEFAULT_LIFETIME_MS),
    refunds: (checkout.refunds ?? []).map(refundState),
    tranches: [],
    disputes: [],
  };
}

/** A parsed refund without what a RefundState does not have. */
export const refundState = ({ completedAt: _, ...refund }: z.infer<typeof CoinbaseRefund>): RefundState =>
  refund;

/** Coinbase stores nothing of ours with a refund but its reason, so the key goes at its end, in brackets. */
export function appendKeyToReason(reason: string, key: string): string {
  const mark = ` [${key}]`;
  if (mark.length > MAX_REASON_LENGTH) throw new PaymentError('invalid', 'The key is too long for Coinbase');
  return cutText(reason, MAX_REASON_LENGTH - mark.length) + mark;
}

function keyFromReason(reason: string): string | null {
  return /\[([^[\]]+)\]$/.exec(reason)?.[1] ?? null;
}

function centsOrIssue(found: number | null, context: z.RefinementCtx): number {
  if (found !== null) return found;
  context.addIssue({ code: 'custom', message: 'is no amount in cents' });
  return z.NEVER;
}
