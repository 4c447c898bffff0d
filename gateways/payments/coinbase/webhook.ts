import { z } from 'zod';
import { PaymentError, type WebhookEvent } from '../port.ts';
import { Identifier, parseJsonBody } from '../webhook-body.ts';

const Body = z.object({
  id: Identifier,
  eventType: Identifier,
  refunds: z.array(z.object({ id: Identifier, status: Identifier })).nullish(),
});

/**
 * Parses a verified Coinbase webhook. Its body is the checkout plus the event type; the event id comes in `X-Event-Id`.
 * Without that header the id is derived from the content.
 * @throws PaymentError `invalid` unless it is an event about a checkout
 */
export function parseCoinbaseEvent(rawBody: Uint8Array, headers: Headers): WebhookEvent {
  const body = Body.safeParse(parseJsonBody(rawBody));
  const named = headers.get('x-event-id');
  if (!body.success || (named && !Identifier.safeParse(named).success))
    throw new PaymentError('invalid', 'The body is no message of Coinbase about a checkout');
  const { id, eventType, refunds } = body.data;
  const happened = [id, eventType, ...(refunds ?? []).map((refund) => `${refund.id}=${refund.status}`)];
  return {
    eventId: named || happened.join(':'),
    type: eventType,
    ref: id,
    paymentRef: null,
  };
}
