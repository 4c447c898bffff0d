import { z } from 'zod';
import { jsonBody, Name } from './message-body.ts';
import { PaymentError, type ProviderMessage } from './port.ts';

const Event = z.object({
  id: Name,
  object: z.literal('event'),
  type: Name,
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      id: Name.optional(),
      object: z.string(),
      payment_intent: z.unknown().optional(),
    }),
  }),
});

/**
 * Whom a verified event of Stripe is about. Refunds, disputes and charges name only the payment.
 * @throws PaymentError `invalid`: no event, or one of the other mode (test events must never move real money, nor real
 *   ones a test)
 */
export function stripeMessage(rawBody: Uint8Array, livemode: boolean): ProviderMessage {
  const event = Event.safeParse(jsonBody(rawBody));
  if (!event.success) throw new PaymentError('invalid', 'The body is no event of Stripe');
  const { id: eventId, type, data } = event.data;
  if (event.data.livemode !== livemode)
    throw new PaymentError('invalid', `Stripe sent an event of its ${livemode ? 'test' : 'live'} mode`);
  const { object, id = null, payment_intent: payment } = data.object;
  const isIntent = object === 'payment_intent';
  return {
    eventId,
    type,
    ref: object === 'checkout.session' ? id : null,
    paymentRef: isIntent ? id : idOf(payment),
  };
}

/** A payment as its id, or as the whole object that holds it. */
function idOf(payment: unknown): string | null {
  const named = z.union([Name, z.object({ id: Name }).transform(({ id }) => id)]).safeParse(payment);
  return named.success ? named.data : null;
}
