import { PaymentError } from '../../payments/port.ts';
import type { PayoutRequest, PayoutState } from '../port.ts';
import { splitAmount } from '../request.ts';
import { type PayPalClient, PayPalRefusal } from './client.ts';
import { Batch, BatchCreated, type BatchItem } from './shapes.ts';
import { batchState, type KnownBatch, refusalOf } from './state.ts';
import { positionOfItem, senderItemId } from './webhook.ts';

/** The most that one item carries. */
const MAX_ITEM_CENTS = 2_000_000;
const PAGE_SIZE = 1_000;
const BATCHES = '/v1/payments/payouts';

/**
 * Sends a payout as one batch. PayPal keeps the id of a batch for 30 days: a repetition answers with the batch that exists.
 * @throws PaymentError `conflict` for a key that was used with other content
 */
export async function sendBatch(client: PayPalClient, request: PayoutRequest): Promise<PayoutState> {
  const body = JSON.stringify(batchBody(request));
  try {
    const created = await client.send(BatchCreated, {
      method: 'POST',
      path: BATCHES,
      body,
      requestId: request.key,
    });
    return batchState(await readBatch(client, created.batch_header.payout_batch_id));
  } catch (error) {
    if (!(error instanceof PayPalRefusal)) throw error;
    const isRepeated = error.refusal.details.some(({ field }) => field?.toUpperCase() === 'SENDER_BATCH_ID');
    if (isRepeated) return repeatedBatch(client, request, error);
    const failure = refusalOf(error.refusal.name);
    // The request as a whole was refused: nothing of it is kept.
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
    note: description.slice(0, 1_000),
  },
  items: splitAmount(amountCents, MAX_ITEM_CENTS).map((cents, position) => ({
    recipient_type: 'EMAIL',
    receiver: destination,
    amount: { currency: 'USD', value: (cents / 100).toFixed(2) },
    sender_item_id: senderItemId(key, position),
  })),
});

/** The batch that was sent under this key before. */
async function repeatedBatch(
  client: PayPalClient,
  request: PayoutRequest,
  { refusal: { details } }: PayPalRefusal,
): Promise<PayoutState> {
  const links = details.flatMap(({ link = [] }) => link.map(({ href }) => href));
  const id = links.map((href) => /\/payments\/payouts\/([\w-]+)/.exec(href)?.[1]).find(Boolean);
  // It may have been sent, so nothing follows from this answer.
  if (!id) throw new PaymentError('unavailable', 'PayPal knows the batch, and does not name it');
  const batch = await readBatch(client, id);
  if (!isOf(batch, request)) throw new PaymentError('conflict', 'This key was used for another payout');
  return batchState(batch);
}

/** Whether a batch is the one of a request, as far as PayPal says already. */
function isOf(
  { header, items }: KnownBatch,
  { key, amountCents, destination }: PayoutRequest,
): boolean {
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
