import { z } from 'zod';
import { jsonBody, Name } from './message-body.ts';
import { PaymentError, type ProviderMessage } from './port.ts';

const Body = z.object({
  id: Name,
  eventType: Name,
  refunds: z.array(z.object({ id: Name, status: Name })).nullish(),
});

/**
 * Whom a verified message of Coinbase is about: its body is the checkout with the type of the event. The id of the event
 * stands beside it in `X-Event-Id`; without that, what happened makes up the id.
 * @throws PaymentError `invalid`: no message about a checkout
 */
export function coinbaseMessage(rawBody: Uint8Array, headers: Headers): ProviderMessage {
  const body = Body.safeParse(jsonBody(rawBody));
  const named = headers.get('x-event-id');
  if (!body.success || (named && !Name.safeParse(named).success))
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
