import { cutText } from '#platform/cut-text.ts';
import { decimalAmount } from '#platform/money.ts';
import { PaymentError } from '../../payments/port.ts';
import type { PayoutRequest, PayoutState } from '../port.ts';
import { splitAmount } from '../request.ts';
import { type PayPalClient, PayPalRefusal } from './client.ts';
import { Batch, BatchCreated, type BatchItem, type Refusal } from './shapes.ts';
import { batchState, type KnownBatch, refusalOf } from './state.ts';
import { positionOfItem, senderItemId } from './webhook.ts';

/** The most that one item carries. */
const MAX_ITEM_CENTS = 2_000_000;
const PAGE_SIZE = 1_000;
const BATCHES = '/v1/payments/payouts';

/**
 * Sends a payout as one batch. PayPal refuses an id that was used within 30 days, whatever else there is to say about the request,
 * and names the batch that exists: every other refusal means that nothing was sent under it.
 * @throws PaymentError `conflict` for a key that was used with other content
 */
export async function sendBatch(client: PayPalClient, request: PayoutRequest): Promise<PayoutState> {
  const body = JSON.stringify(batchBody(request));
  try {
    const created = await client.send(BatchCreated, { method: 'POST', path: BATCHES, body });
    return batchState(await batchOf(client, request, created.batch_header.payout_batch_id));
  } catch (error) {
    if (!(error instanceof PayPalRefusal)) throw error;
    if (isRepeated(error.refusal)) return batchState(await repeatedBatch(client, request, error.refusal));
    // Two calls at a time may hinder each other; only a later one tells what became of them.
    if (error.code === 'conflict' || error.code === 'not_found')
      throw new PaymentError('unavailable', error.message, error);
    const failure = refusalOf(error.refusal.name);
    if (error.code !== 'invalid' || (failure !== 'balance_short' && failure !== 'limit')) throw error;
    const none = { items: [], paidCents: 0, feeCents: 0, arrivesAt: null };
    return { key: request.key, ref: null, status: 'failed', ...none, failure };
  }
}

const batchBody = ({ key, amountCents, destination, description }: PayoutRequest) => ({
  sender_batch_header: {
    sender_batch_id: key,
    recipient_type: 'EMAIL',
    email_subject: 'You have been paid',
    note: cutText(description, 1_000),
  },
  items: splitAmount(amountCents, MAX_ITEM_CENTS).map((cents, position) => ({
    recipient_type: 'EMAIL',
    receiver: destination,
    amount: { currency: 'USD', value: decimalAmount(cents) },
    sender_item_id: senderItemId(key, position),
  })),
});

const isRepeated = ({ name, details }: Refusal): boolean =>
  name === 'USER_BUSINESS_ERROR' || details.some(({ field }) => field?.toUpperCase() === 'SENDER_BATCH_ID');

/** The batch that was sent under this key before. */
function repeatedBatch(
  client: PayPalClient,
  request: PayoutRequest,
  { details }: Refusal,
): Promise<KnownBatch> {
  const links = details.flatMap(({ link = [] }) => link.map(({ href }) => href));
  const id = links.map((href) => /\/payments\/payouts\/([\w-]+)/.exec(href)?.[1]).find(Boolean);
  // It may have been sent, so nothing follows from this answer.
  if (!id) throw new PaymentError('unavailable', 'PayPal knows the batch, and does not name it');
  return batchOf(client, request, id);
}

/** @throws PaymentError `conflict` when the batch is not the one that is asked for; `unavailable` while it cannot be read */
async function batchOf(client: PayPalClient, request: PayoutRequest, ref: string): Promise<KnownBatch> {
  const batch = await readBatch(client, ref).catch((error: unknown) => {
    // It exists, since PayPal has just named it: that it cannot be read says nothing about the payout.
    if (!(error instanceof PaymentError) || error.retryable || error.code === 'auth') throw error;
    throw new PaymentError('unavailable', 'PayPal does not show a batch that exists', error);
  });
  if (!isOf(batch, request)) throw new PaymentError('conflict', 'This key was used for another payout');
  return batch;
}

/** Whether a batch is the one of a request, as far as PayPal says already. */
function isOf({ header, items }: KnownBatch, { key, amountCents, destination }: PayoutRequest): boolean {
  if (header.sender_batch_header.sender_batch_id !== key) return false;
  if (header.amount !== undefined && header.amount !== amountCents) return false;
  const sum = items.reduce((total, { payout_item: { amount } }) => total + amount, 0);
  const isSame = (receiver: string) => receiver.toLowerCase() === destination.toLowerCase();
  return sum <= amountCents && items.every(({ payout_item: { receiver } }) => isSame(receiver));
}

/**
 * A batch with all its items, in the order in which they were sent.
 * @throws PaymentError `not_found`
 */
export async function readBatch(client: PayPalClient, ref: string): Promise<KnownBatch> {
  if (!/^[\w-]{1,60}$/.test(ref)) throw new PaymentError('not_found', 'This is no name of a batch');
  const items: BatchItem[] = [];
  for (let page = 1; ; page++) {
    const query = { page: String(page), page_size: String(PAGE_SIZE), total_required: 'true' };
    const read = await client.send(Batch, { method: 'GET', path: `${BATCHES}/${ref}`, query });
    items.push(...read.items);
    if (page >= (read.total_pages ?? 1))
      return { header: read.batch_header, items: items.toSorted(byPosition) };
  }
}

const byPosition = (one: BatchItem, other: BatchItem): number =>
  positionOfItem(one.payout_item.sender_item_id) - positionOfItem(other.payout_item.sender_item_id);
