import { z } from 'zod';
import { PaymentError } from '../../payments/port.ts';
import { Identifier, parseJsonBody } from '../../payments/webhook-body.ts';
import type { PayoutWebhookEvent } from '../port.ts';

const Event = z.object({
  id: Identifier,
  event_type: Identifier,
  resource: z
    .object({
      payout_item: z.object({ sender_item_id: Identifier.nullish() }),
      batch_header: z.object({
        sender_batch_header: z.object({ sender_batch_id: Identifier.nullish() }).nullish(),
      }),
    })
    .partial(),
});

/** The name of an item: its payout and its position. */
export const senderItemId = (key: string, position: number): string => `${key}:${position}`;

/** The payout that an item belongs to; null when it was not sent by us. */
const keyOfItem = (itemId: string | null | undefined): string | null =>
  /^(payout:.+):\d+$/.exec(itemId ?? '')?.[1] ?? null;

/** The place of an item in its payout, from 0. */
export const positionOfItem = (itemId: string): number => Number(/:(\d+)$/.exec(itemId)?.[1] ?? 0);

/** What PayPal's headers say of a message, by the names that its API uses. */
interface Transmission {
  auth_algo: string;
  cert_url: string;
  transmission_id: string;
  transmission_sig: string;
  transmission_time: string;
}

/** @throws PaymentError `bad_signature` when a header is missing or malformed */
export function transmissionOf(headers: Headers): Transmission {
  const header = (name: string, shape: RegExp): string => {
    const value = headers.get(name) ?? '';
    if (!shape.test(value)) throw new PaymentError('bad_signature', 'The message is not signed by PayPal');
    return value;
  };
  return {
    auth_algo: header('paypal-auth-algo', /^\w{1,100}$/),
    cert_url: header('paypal-cert-url', /^https:\/\/[\w.-]+\.paypal\.com\/\S{1,400}$/),
    transmission_id: header('paypal-transmission-id', /^[\w-]{1,50}$/),
    transmission_sig: header('paypal-transmission-sig', /^[\w+/=-]{1,500}$/),
    transmission_time: header('paypal-transmission-time', /^[\w:.+-]{1,100}$/),
  };
}

/**
 * Parses a verified event of PayPal: of an item, or of a whole batch.
 * @throws PaymentError `invalid`
 */
export function parsePayPalEvent(rawBody: Uint8Array): PayoutWebhookEvent {
  const event = Event.safeParse(parseJsonBody(rawBody));
  if (!event.success) throw new PaymentError('invalid', 'The body is no event of PayPal');
  const { id: eventId, event_type: type, resource } = event.data;
  const batchId = resource.batch_header?.sender_batch_header?.sender_batch_id;
  const payoutKey =
    keyOfItem(resource.payout_item?.sender_item_id) ?? (batchId?.startsWith('payout:') ? batchId : null);
  return { eventId, type, payoutKey, account: null };
}
