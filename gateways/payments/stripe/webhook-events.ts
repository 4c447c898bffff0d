import type Stripe from 'stripe';

/** The version in which Stripe renders the messages that it sends us: that of the SDK which reads its answers. */
export const WEBHOOK_API_VERSION =
  '2026-10-28.endive' satisfies Stripe.WebhookEndpointCreateParams.ApiVersion;

/** Everything that tells about a change of a payment, a refund or a dispute. */
export const WEBHOOK_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[];
