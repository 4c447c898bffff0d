import { randomUUID } from 'node:crypto';
import { coinbaseMessage } from '../coinbase-message.ts';
import type { DisputeState, ProviderMessage, Rail, RefundState } from '../port.ts';
import { signCoinbase, signStripe, verifyCoinbase, verifyStripe } from '../signature.ts';
import { stripeMessage } from '../stripe-message.ts';
import { type Checkout, newRef } from './checkout.ts';
import { NETWORK } from './rules.ts';

/** What came to pass. A provider tells of some of it. */
export type Happening =
  | { about: 'checkout'; what: 'paid' | 'submitted' | 'settled' | 'failed' | 'expired' | 'canceled' }
  | { about: 'refund'; refund: RefundState }
  | { about: 'dispute'; dispute: DisputeState };

/** A message that is to be delivered: who it is from, and its body as it will stand on the wire. */
export interface Message {
  eventId: string;
  type: string;
  payload: string;
}

const SESSION_EVENTS = {
  paid: 'checkout.session.completed',
  submitted: 'checkout.session.completed',
  settled: 'checkout.session.async_payment_succeeded',
  failed: 'checkout.session.async_payment_failed',
  expired: 'checkout.session.expired',
  canceled: 'checkout.session.expired',
} as const;

/** Coinbase says nothing of a transaction that is only seen, nor of a checkout that the shop closed itself. */
const PAYMENT_EVENTS = {
  paid: 'checkout.payment.success',
  submitted: null,
  settled: 'checkout.payment.success',
  failed: 'checkout.payment.failed',
  expired: 'checkout.payment.expired',
  canceled: null,
} as const;

/** What the provider of the rail sends about it, in its own form; null when it keeps silent. */
export function messageAbout(checkout: Checkout, happening: Happening, now: Date): Message | null {
  return checkout.rail === 'card'
    ? stripeLike(checkout, happening, now)
    : coinbaseLike(checkout, happening, now);
}

function stripeLike(checkout: Checkout, happening: Happening, now: Date): Message {
  const eventId = newRef('card', 'evt');
  const { type, object } = stripeObject(checkout, happening);
  const created = Math.floor(now.getTime() / 1000);
  const event = { id: eventId, object: 'event', created, livemode: false, type, data: { object } };
  return { eventId, type, payload: JSON.stringify(event) };
}

function stripeObject(checkout: Checkout, happening: Happening): { type: string; object: object } {
  const payment = { payment_intent: checkout.payment_ref, currency: 'usd', livemode: false };
  if (happening.about === 'refund') {
    const { ref, amountCents, status, key } = happening.refund;
    const type = status === 'failed' ? 'refund.failed' : 'refund.updated';
    return {
      type,
      object: { id: ref, object: 'refund', amount: amountCents, status, metadata: { key }, ...payment },
    };
  }
  if (happening.about === 'dispute') {
    const { ref, amountCents, status, reason } = happening.dispute;
    const type = status === 'open' ? 'charge.dispute.created' : 'charge.dispute.closed';
    const shown = status === 'open' ? 'needs_response' : status;
    return {
      type,
      object: { id: ref, object: 'dispute', amount: amountCents, status: shown, reason, ...payment },
    };
  }
  const closed = happening.what === 'expired' || happening.what === 'canceled';
  return {
    type: SESSION_EVENTS[happening.what],
    object: {
      id: checkout.ref,
      object: 'checkout.session',
      client_reference_id: checkout.sale_id,
      amount_total: checkout.amount_cents,
      mode: 'payment',
      status: closed ? 'expired' : 'complete',
      payment_status: checkout.status === 'paid' ? 'paid' : 'unpaid',
      ...payment,
    },
  };
}

function coinbaseLike(checkout: Checkout, happening: Happening, now: Date): Message | null {
  const type = coinbaseType(happening);
  if (type === null) return null;
  const { amount_cents: total, fee_cents: fee } = checkout;
  const body = {
    id: checkout.ref,
    eventType: type,
    amount: decimal(total),
    currency: 'USDC',
    network: NETWORK,
    status: coinbaseStatus(checkout),
    metadata: { saleId: checkout.sale_id },
    expiresAt: checkout.expires_at,
    createdAt: checkout.created_at,
    updatedAt: now,
    ...(checkout.tx_hash && { transactionHash: checkout.tx_hash }),
    ...(fee !== null && {
      settlement: {
        totalAmount: decimal(total),
        feeAmount: decimal(fee),
        netAmount: decimal(total - fee),
        currency: 'USDC',
      },
    }),
    ...(happening.about === 'refund' && {
      refunds: [refundLike(happening.refund)],
    }),
  };
  return { eventId: randomUUID(), type, payload: JSON.stringify(body) };
}

const refundLike = ({ ref, amountCents, status }: RefundState) => ({
  id: ref,
  amount: decimal(amountCents),
  currency: 'USDC',
  status: { pending: 'PENDING', succeeded: 'COMPLETED', failed: 'FAILED' }[status],
});

function coinbaseType(happening: Happening): string | null {
  if (happening.about === 'checkout') return PAYMENT_EVENTS[happening.what];
  if (happening.about === 'dispute') return null;
  return happening.refund.status === 'failed' ? 'checkout.refund.failed' : 'checkout.refund.success';
}

const coinbaseStatus = ({ status }: Checkout): string =>
  ({
    open: 'ACTIVE',
    processing: 'PROCESSING',
    paid: 'COMPLETED',
    failed: 'FAILED',
    expired: 'EXPIRED',
    canceled: 'DEACTIVATED',
  })[status];

const decimal = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Where a rail's messages go, below the application's origin. */
export const WEBHOOK_PATHS = { card: '/api/webhooks/stripe', crypto: '/api/webhooks/coinbase' } as const;

/** The message as it goes out now: every attempt is signed anew, as stamps grow old. */
export function signedMessage(
  {
    rail,
    event_id,
    type,
    payload,
  }: { rail: 'card' | 'crypto'; event_id: string; type: string; payload: string },
  secret: string,
  at: Date,
): { rawBody: Uint8Array<ArrayBuffer>; headers: Headers } {
  const rawBody = new TextEncoder().encode(payload);
  const agent = { 'user-agent': 'AcreSandbox/1.0' };
  if (rail === 'card') {
    const signature = signStripe(rawBody, secret, at);
    const type = { 'content-type': 'application/json; charset=utf-8' };
    return { rawBody, headers: new Headers({ ...agent, ...type, 'stripe-signature': signature }) };
  }
  const named = { 'content-type': 'application/json', 'x-event-id': event_id, 'x-event-type': type };
  const signature = signCoinbase({ rawBody, secret, at, headers: named });
  return { rawBody, headers: new Headers({ ...agent, ...named, 'x-hook0-signature': signature }) };
}

/**
 * Verifies and reads a message of the rail, with the same code as those of the real provider.
 * @throws PaymentError `bad_signature`, `invalid`
 */
export function parseSandboxMessage(
  rail: Rail,
  { rawBody, headers, now }: { rawBody: Uint8Array; headers: Headers; now: Date },
  secret: string,
): ProviderMessage {
  if (rail === 'card') {
    verifyStripe(rawBody, headers.get('stripe-signature'), secret, now);
    return stripeMessage(rawBody, false);
  }
  verifyCoinbase({ rawBody, headers, secret, now });
  return coinbaseMessage(rawBody, headers);
}
