import { randomUUID } from 'node:crypto';
import { decimalAmount } from '#platform/money.ts';
import { parseCoinbaseEvent } from '../coinbase/webhook.ts';
import type { DisputeState, PaymentMethod, ProviderName, RefundState, WebhookEvent } from '../port.ts';
import { parseStripeEvent } from '../stripe/webhook.ts';
import { signCoinbase, signStripe, verifyCoinbase, verifyStripe } from '../webhook-signature.ts';
import { type Checkout, createRef } from './checkout.ts';
import { NETWORK } from './rules.ts';

/** An event of a checkout. Providers send webhooks for some of them. */
export type SandboxEvent =
  | { about: 'checkout'; what: 'paid' | 'submitted' | 'settled' | 'failed' | 'expired' | 'canceled' }
  | { about: 'tranche'; ref: string; amountCents: number }
  | { about: 'refund'; what: 'created' | 'changed' | 'ended'; refund: RefundState; refunds: RefundState[] }
  | { about: 'dispute'; what: 'created' | 'updated' | 'closed'; dispute: DisputeState };

/** A webhook to deliver; `payload` is its body as sent. */
export interface Webhook {
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

/** Coinbase sends nothing for a transaction that was only seen, nor for a checkout that the merchant closed. */
const PAYMENT_EVENTS = {
  paid: 'checkout.payment.success',
  submitted: null,
  settled: 'checkout.payment.success',
  failed: 'checkout.payment.failed',
  expired: 'checkout.payment.expired',
  canceled: null,
} as const;

/** The provider's webhook about an event, in its own format; null when it sends none. */
export function webhookFor(checkout: Checkout, sandboxEvent: SandboxEvent, now: Date): Webhook | null {
  return checkout.method === 'card'
    ? stripeWebhook(checkout, sandboxEvent, now)
    : coinbaseWebhook(checkout, sandboxEvent, now);
}

function stripeWebhook(checkout: Checkout, sandboxEvent: SandboxEvent, now: Date): Webhook {
  const eventId = createRef('card', 'evt');
  const { type, object } = stripeObject(checkout, sandboxEvent);
  const created = Math.floor(now.getTime() / 1000);
  const { livemode } = checkout;
  const event = { id: eventId, object: 'event', created, livemode, type, data: { object } };
  return { eventId, type, payload: JSON.stringify(event) };
}

function stripeObject(checkout: Checkout, sandboxEvent: SandboxEvent): { type: string; object: object } {
  const { payment_ref, livemode } = checkout;
  const payment = { payment_intent: payment_ref, currency: 'usd', livemode };
  if (sandboxEvent.about === 'refund') {
    const { ref, amountCents, status, key } = sandboxEvent.refund;
    const type = sandboxEvent.what === 'created' ? 'created' : status === 'failed' ? 'failed' : 'updated';
    const metadata = key === null ? {} : { key };
    return {
      type: `refund.${type}`,
      object: { id: ref, object: 'refund', amount: amountCents, status, metadata, ...payment },
    };
  }
  if (sandboxEvent.about === 'dispute') {
    const { ref, amountCents, reason } = sandboxEvent.dispute;
    const status = stripeDisputeStatus(sandboxEvent.dispute);
    return {
      type: `charge.dispute.${sandboxEvent.what}`,
      object: { id: ref, object: 'dispute', amount: amountCents, status, reason, ...payment },
    };
  }
  if (sandboxEvent.about === 'tranche')
    return intentObject(checkout, 'succeeded', sandboxEvent.ref, sandboxEvent.amountCents);
  if (checkout.in_parts)
    return intentObject(checkout, 'canceled', createRef('card', 'pi'), checkout.amount_cents);
  const closed = sandboxEvent.what === 'expired' || sandboxEvent.what === 'canceled';
  return {
    type: SESSION_EVENTS[sandboxEvent.what],
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

/** A payment in parts is kept by customer; each part is a payment of its own. */
function intentObject(
  { ref: customer, livemode, sale_id }: Checkout,
  status: 'succeeded' | 'canceled',
  id: string,
  amount: number,
): { type: string; object: object } {
  const object = { id, object: 'payment_intent', customer, amount, status, currency: 'usd', livemode };
  return { type: `payment_intent.${status}`, object: { ...object, metadata: { sale_id } } };
}

function stripeDisputeStatus({ kind, status, evidenceDueAt }: DisputeState): string {
  const shown = status === 'open' ? (evidenceDueAt ? 'needs_response' : 'under_review') : status;
  if (kind === 'chargeback') return shown;
  return status === 'open' ? `warning_${shown}` : 'warning_closed';
}

/** The checkout itself, in the shape of Coinbase's API, and the type of the event. */
function coinbaseWebhook(checkout: Checkout, sandboxEvent: SandboxEvent, now: Date): Webhook | null {
  const type = coinbaseType(sandboxEvent);
  if (type === null) return null;
  const { ref: id, amount_cents: total, fee_cents: fee } = checkout;
  const refunds = sandboxEvent.about === 'refund' ? sandboxEvent.refunds : [];
  const refunded = refunds.filter(({ status }) => status === 'succeeded');
  const refundedCents = refunded.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const body = {
    id,
    url: `https://payments.coinbase.com/payment-links/pl_${id}`,
    eventType: type,
    amount: decimalAmount(total),
    currency: 'USDC',
    network: NETWORK,
    status: coinbaseStatus(checkout, refundedCents),
    description: checkout.request.description,
    metadata: { sale_id: checkout.sale_id },
    expiresAt: checkout.expires_at,
    createdAt: checkout.created_at,
    updatedAt: now,
    ...(checkout.tx_hash && { transactionHash: checkout.tx_hash }),
    ...(fee !== null && {
      settlement: {
        totalAmount: decimalAmount(total),
        feeAmount: decimalAmount(fee),
        netAmount: decimalAmount(total - fee),
        currency: 'USDC',
      },
    }),
    ...(refunds.length > 0 && {
      refundedAmount: decimalAmount(refundedCents),
      refunds: refunds.map((refund) => ({ ...coinbaseRefund(refund), checkoutId: id })),
    }),
  };
  return { eventId: randomUUID(), type, payload: JSON.stringify(body) };
}

const coinbaseRefund = ({ ref, amountCents, status }: RefundState) => ({
  id: ref,
  amount: decimalAmount(amountCents),
  currency: 'USDC',
  status: { pending: 'PENDING', succeeded: 'COMPLETED', failed: 'FAILED' }[status],
});

function coinbaseType(sandboxEvent: SandboxEvent): string | null {
  if (sandboxEvent.about === 'checkout') return PAYMENT_EVENTS[sandboxEvent.what];
  if (sandboxEvent.about === 'tranche' || sandboxEvent.about === 'dispute' || sandboxEvent.what !== 'ended')
    return null;
  return sandboxEvent.refund.status === 'failed' ? 'checkout.refund.failed' : 'checkout.refund.success';
}

const coinbaseStatus = ({ status, amount_cents }: Checkout, refundedCents: number): string => {
  if (refundedCents > 0) return refundedCents < amount_cents ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
  return {
    open: 'ACTIVE',
    processing: 'PROCESSING',
    paid: 'COMPLETED',
    failed: 'FAILED',
    expired: 'EXPIRED',
    canceled: 'DEACTIVATED',
  }[status];
};

/** The webhook endpoint, relative to the application's origin. */
export const WEBHOOK_PATH = '/api/webhooks/sandbox';

/** Which of its providers the sandbox sent a message as. */
export const sandboxSender = (headers: Headers): ProviderName =>
  headers.has('x-hook0-signature') ? 'sandbox-crypto' : 'sandbox-card';

/** The signed webhook request. Every attempt is signed anew because timestamps expire. */
export function signWebhook(
  {
    method,
    event_id,
    type,
    payload,
  }: { method: 'card' | 'crypto'; event_id: string; type: string; payload: string },
  secret: string,
  at: Date,
): { rawBody: Uint8Array<ArrayBuffer>; headers: Headers } {
  const rawBody = new TextEncoder().encode(payload);
  const agent = { 'user-agent': 'AcreSandbox/1.0' };
  if (method === 'card') {
    const signature = signStripe(rawBody, secret, at);
    const type = { 'content-type': 'application/json; charset=utf-8' };
    return { rawBody, headers: new Headers({ ...agent, ...type, 'stripe-signature': signature }) };
  }
  const named = { 'content-type': 'application/json', 'x-event-id': event_id, 'x-event-type': type };
  const signature = signCoinbase({ rawBody, secret, at, headers: named });
  return { rawBody, headers: new Headers({ ...agent, ...named, 'x-hook0-signature': signature }) };
}

/**
 * Verifies and parses a sandbox webhook, with the same code as for the real provider.
 * @throws PaymentError `bad_signature`, `invalid`
 */
export function parseSandboxWebhook(
  { method, livemode, secret }: { method: PaymentMethod; livemode: boolean; secret: string },
  { rawBody, headers, now }: { rawBody: Uint8Array; headers: Headers; now: Date },
): WebhookEvent {
  if (method === 'card') {
    verifyStripe(rawBody, headers.get('stripe-signature'), secret, now);
    return parseStripeEvent(rawBody, livemode);
  }
  verifyCoinbase({ rawBody, headers, secret, now });
  return parseCoinbaseEvent(rawBody, headers);
}
