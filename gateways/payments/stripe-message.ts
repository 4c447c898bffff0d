import { z } from 'zod';
import { jsonBody } from './message-body.ts';
import { PaymentError, type ProviderMessage } from './port.ts';

const Event = z.object({
  id: z.string().min(1),
  object: z.literal('event'),
  type: z.string().min(1),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      id: z.string().optional(),
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
  if (typeof payment === 'string') return payment;
  const whole = z.object({ id: z.string() }).safeParse(payment);
  return whole.success ? whole.data.id : null;
}
