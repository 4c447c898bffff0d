import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { decimalAmount } from '#platform/money.ts';
import { PaymentError } from '../../payments/port.ts';
import { deliverWebhooksJob } from '../../payments/sandbox/transitions.ts';
import { signStripe, verifyStripe } from '../../payments/webhook-signature.ts';
import { parsePayPalEvent } from '../paypal/webhook.ts';
import type { PayoutMethod, PayoutProviderName, PayoutWebhookEvent } from '../port.ts';
import { parseStripePayoutEvent } from '../stripe/webhook.ts';
import type { ItemRow, PayoutRow } from './records.ts';

/** How the provider's message about a change arrives: at once, a second time, an hour late, or never. */
export const MESSAGE_MODES = ['once', 'twice', 'late', 'never'] as const;
export type MessageMode = (typeof MESSAGE_MODES)[number];

/** The webhook endpoint, relative to the application's origin. */
export const PAYOUT_WEBHOOK_PATH = '/api/webhooks/sandbox-payouts';

/** Which of its providers the sandbox sent a message as. */
export const sandboxPayoutSender = (headers: Headers): PayoutProviderName =>
  headers.has('paypal-transmission-sig') ? 'sandbox-paypal' : 'sandbox-connect';

interface Announcement {
  type: string;
  resource: object;
  /** what it is about: the payout's key, or the seller's account */
  about: string;
}

/** Queues the message about an item, in the format of the real provider. */
export function announceItem(
  db: Database,
  payout: PayoutRow,
  item: ItemRow,
  position: number,
  now: Date,
  mode: MessageMode,
): Promise<void> {
  const about = payout.key;
  if (payout.method === 'paypal') {
    const type = `PAYMENT.PAYOUTS-ITEM.${PAYPAL_EVENTS[item.state] ?? 'UPDATED'}`;
    return queue(db, 'paypal', { type, resource: payPalItem(payout, item, position), about }, now, mode);
  }
  const type = item.returned_cents > 0 ? 'transfer.reversed' : 'transfer.created';
  return queue(db, 'connect', { type, resource: transfer(payout, item), about }, now, mode, payout.livemode);
}

/** Queues the message about a seller's account. */
export function announceAccount(
  db: Database,
  { ref, livemode }: { ref: string; livemode: boolean },
  now: Date,
  mode: MessageMode,
): Promise<void> {
  const resource = { id: ref, object: 'account' };
  return queue(db, 'connect', { type: 'account.updated', resource, about: ref }, now, mode, livemode, ref);
}

const PAYPAL_EVENTS: Readonly<Partial<Record<ItemRow['state'], string>>> = {
  success: 'SUCCEEDED',
  unclaimed: 'UNCLAIMED',
  onhold: 'HELD',
  blocked: 'BLOCKED',
  returned: 'RETURNED',
  refunded: 'REFUNDED',
  reversed: 'REVERSED',
  failed: 'FAILED',
};

const payPalItem = ({ key, ref, destination }: PayoutRow, item: ItemRow, position: number) => ({
  payout_item_id: item.ref,
  transaction_status: item.state.toUpperCase(),
  payout_batch_id: ref,
  payout_item: {
    recipient_type: 'EMAIL',
    receiver: destination,
    amount: { currency: 'USD', value: decimalAmount(item.amount_cents) },
    sender_item_id: `${key}:${position}`,
  },
});

const transfer = ({ key, sale_id, destination }: PayoutRow, item: ItemRow) => ({
  id: item.ref,
  object: 'transfer',
  amount: item.amount_cents,
  amount_reversed: item.returned_cents,
  currency: 'usd',
  destination,
  metadata: { payout: key, sale_id },
  transfer_group: `sale_${sale_id}`,
});

async function queue(
  db: Database,
  sender: 'connect' | 'paypal',
  { type, resource, about }: Announcement,
  now: Date,
  mode: MessageMode,
  livemode = false,
  account?: string,
): Promise<void> {
  const eventId =
    sender === 'connect' ? `evt_sandbox_${randomBytes(20).toString('hex')}` : `WH-${randomUUID()}`;
  const event =
    sender === 'connect'
      ? {
          id: eventId,
          object: 'event',
          type,
          livemode,
          ...(account && { account }),
          data: { object: resource },
        }
      : { id: eventId, event_version: '1.0', create_time: now, event_type: type, resource };
  const sendAt = mode === 'late' ? new Date(now.getTime() + HOUR) : now;
  await db
    .q()
    .insertInto('sandbox_deliveries')
    .values({
      event_id: eventId,
      method: sender,
      type,
      ref: about,
      payload: JSON.stringify(event),
      created_at: now,
      next_attempt_at: mode === 'never' ? null : sendAt,
      repeats: mode === 'twice' ? 1 : 0,
    })
    .execute();
  if (mode !== 'never')
    await enqueue({ db }, deliverWebhooksJob, {}, mode === 'late' ? { after: sendAt } : {});
}

/** The signed request of a message. Every attempt is signed anew because timestamps expire. */
export function signPayoutWebhook(
  { method, payload }: { method: 'connect' | 'paypal'; payload: string },
  secret: string,
  at: Date,
): { rawBody: Uint8Array<ArrayBuffer>; headers: Headers } {
  const rawBody = new TextEncoder().encode(payload);
  const headers = new Headers({ 'user-agent': 'AcreSandbox/1.0', 'content-type': 'application/json' });
  if (method === 'connect') headers.set('stripe-signature', signStripe(rawBody, secret, at));
  else {
    const [id, time] = [randomUUID(), at.toISOString()];
    headers.set('paypal-transmission-id', id);
    headers.set('paypal-transmission-time', time);
    headers.set('paypal-transmission-sig', transmissionSignature(id, time, rawBody, secret));
  }
  return { rawBody, headers };
}

/** PayPal signs the checksum of the body with a certificate; the sandbox signs its digest with a secret. */
const transmissionSignature = (id: string, time: string, rawBody: Uint8Array, secret: string): string =>
  createHmac('sha256', secret)
    .update(`${id}|${time}|${createHash('sha256').update(rawBody).digest('hex')}`)
    .digest('base64');

/**
 * Verifies and parses a message of the sandbox.
 * @throws PaymentError `bad_signature`, `invalid`
 */
export function parseSandboxPayoutWebhook(
  { method, livemode, secret }: { method: PayoutMethod; livemode: boolean; secret: string },
  { rawBody, headers, now }: { rawBody: Uint8Array; headers: Headers; now: Date },
): PayoutWebhookEvent {
  if (method === 'stripe') {
    verifyStripe(rawBody, headers.get('stripe-signature'), secret, now);
    return parseStripePayoutEvent(rawBody, livemode);
  }
  const id = headers.get('paypal-transmission-id') ?? '';
  const time = headers.get('paypal-transmission-time') ?? '';
  const given = Buffer.from(headers.get('paypal-transmission-sig') ?? '');
  const expected = Buffer.from(transmissionSignature(id, time, rawBody, secret));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new PaymentError('bad_signature', 'The signature does not belong to this message');
  if (!(Math.abs(now.getTime() - new Date(time).getTime()) <= 5 * MINUTE))
    throw new PaymentError('bad_signature', 'The stamp of the signature is more than five minutes away');
  return parsePayPalEvent(rawBody);
}
