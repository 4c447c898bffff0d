import { z } from 'zod';
import { PaymentError, type WebhookEvent } from '../port.ts';
import { Identifier, parseJsonBody } from '../webhook-body.ts';

const Event = z.object({
  id: Identifier,
  object: z.literal('event'),
  type: Identifier,
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      id: Identifier.optional(),
      object: z.string(),
      payment_intent: z.unknown().optional(),
      customer: z.unknown().optional(),
    }),
  }),
});

/**
 * Parses a verified Stripe event. Refunds, disputes and charges name only the payment.
 * @throws PaymentError `invalid` unless it is an event of the same mode: test events must never affect live sales, nor
 *   live ones test sales
 */
export function parseStripeEvent(rawBody: Uint8Array, livemode: boolean): WebhookEvent {
  const event = Event.safeParse(parseJsonBody(rawBody));
  if (!event.success) throw new PaymentError('invalid', 'The body is no event of Stripe');
  const { id: eventId, type, data } = event.data;
  if (event.data.livemode !== livemode)
    throw new PaymentError('invalid', `Stripe sent an event of its ${livemode ? 'test' : 'live'} mode`);
  const { object, id = null, payment_intent: payment, customer } = data.object;
  const isIntent = object === 'payment_intent';
  return {
    eventId,
    type,
    // Payments in parts are kept by customer, and only they have one.
    ref: object === 'checkout.session' ? id : isIntent ? idOf(customer) : null,
    paymentRef: isIntent ? id : idOf(payment),
  };
}

/** The id of something that is given as an id or as an expanded object. */
function idOf(payment: unknown): string | null {
  const named = z
    .union([Identifier, z.object({ id: Identifier }).transform(({ id }) => id)])
    .safeParse(payment);
  return named.success ? named.data : null;
}
