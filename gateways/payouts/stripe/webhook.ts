import { z } from 'zod';
import { PaymentError } from '../../payments/port.ts';
import { Identifier, parseJsonBody } from '../../payments/webhook-body.ts';
import type { PayoutWebhookEvent } from '../port.ts';

/** Metadata key of a transfer that names its payout. */
export const PAYOUT_KEY = 'payout';

/** A whole object of version 1, or a notification of version 2, which only names what it is about. */
const Event = z.object({
  id: Identifier,
  object: z.enum(['event', 'v2.core.event']),
  type: Identifier,
  livemode: z.boolean(),
  account: Identifier.nullish(),
  data: z
    .object({
      object: z
        .object({
          object: z.string(),
          id: Identifier.optional(),
          metadata: z.record(z.string(), z.unknown()),
        })
        .partial({ metadata: true }),
    })
    .partial()
    .nullish(),
  related_object: z.object({ id: Identifier, type: z.string() }).nullish(),
});

/**
 * Parses a verified event of Stripe: of a transfer, or of a connected account.
 * @throws PaymentError `invalid` unless it is an event of the same mode
 */
export function parseStripePayoutEvent(rawBody: Uint8Array, livemode: boolean): PayoutWebhookEvent {
  const event = Event.safeParse(parseJsonBody(rawBody));
  if (!event.success) throw new PaymentError('invalid', 'The body is no event of Stripe');
  const { id: eventId, type, account, data, related_object: related } = event.data;
  if (event.data.livemode !== livemode)
    throw new PaymentError('invalid', `Stripe sent an event of its ${livemode ? 'test' : 'live'} mode`);
  const key = Identifier.safeParse(data?.object?.metadata?.[PAYOUT_KEY]);
  const isAccount = related?.type === 'v2.core.account' || data?.object?.object === 'account';
  const changed = isAccount ? (related?.id ?? data?.object?.id) : null;
  return {
    eventId,
    type,
    payoutKey: data?.object?.object === 'transfer' && key.success ? key.data : null,
    account: changed ?? account ?? null,
  };
}
