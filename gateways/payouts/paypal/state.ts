import type { PayoutFailure, PayoutItem, PayoutState } from '../port.ts';
import { payoutState } from '../state.ts';
import type { BatchHeader, BatchItem } from './shapes.ts';

/** A batch with all items that PayPal knows of it, in the order in which they were sent. */
export interface KnownBatch {
  header: BatchHeader;
  items: BatchItem[];
}

/** The state of a payout out of its batch. PayPal says when an item was processed, not when it will be. */
export function batchState({ header, items }: KnownBatch): PayoutState {
  const known = items.map(payoutItem);
  const listedCents = known.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const { batch_status: status, amount: amountCents = listedCents, errors } = header;
  // Items are listed after their batch: what is missing may have been paid.
  const isComplete = known.length > 0 && listedCents >= amountCents;
  const isOpen = !ENDED.has(status) || (status === 'SUCCESS' && !isComplete);
  const isRefused = Boolean(errors) || status !== 'SUCCESS';
  const state = payoutState({
    key: header.sender_batch_header.sender_batch_id,
    ref: header.payout_batch_id,
    amountCents,
    items: known,
    refusal: !isOpen && isRefused ? refusalOf(errors?.name) : null,
    feeCents: feeOf(items),
    arrivesAt: null,
  });
  return isOpen ? { ...state, status: 'processing' } : state;
}

/** A batch in any other state, known or not, may still be carried out. */
const ENDED: ReadonlySet<string> = new Set(['SUCCESS', 'DENIED', 'CANCELED']);

function payoutItem({ payout_item_id, transaction_status, payout_item, errors }: BatchItem): PayoutItem {
  const amountCents = payout_item.amount;
  const known = STATES[transaction_status ?? 'PENDING'];
  const { status, failure } = known ?? { status: 'processing', failure: null };
  return {
    ref: payout_item_id,
    amountCents,
    returnedCents: status === 'returned' ? amountCents : 0,
    status,
    failure: status === 'failed' && failure !== 'blocked' ? refusalOf(errors?.name) : failure,
  };
}

/** What has left our balance for an unclaimed item is held until somebody claims it, or it is returned after 30 days. */
const STATES: Readonly<Record<string, Pick<PayoutItem, 'status' | 'failure'>>> = {
  BLOCKED: { status: 'failed', failure: 'blocked' },
  CANCELED: { status: 'failed', failure: 'other' },
  DENIED: { status: 'failed', failure: 'other' },
  FAILED: { status: 'failed', failure: 'other' },
  ONHOLD: { status: 'processing', failure: 'blocked' },
  PENDING: { status: 'processing', failure: null },
  REFUNDED: { status: 'returned', failure: 'returned' },
  RETURNED: { status: 'returned', failure: 'returned' },
  REVERSED: { status: 'returned', failure: 'reversed' },
  SUCCESS: { status: 'paid', failure: null },
  UNCLAIMED: { status: 'processing', failure: 'unclaimed' },
};

/** Charged for each item that has left, whatever PayPal says of the others; null before the first. */
function feeOf(items: readonly BatchItem[]): number | null {
  const left = items.filter(({ transaction_status: status = 'PENDING' }) => LEFT.has(status));
  if (left.length === 0) return null;
  return left.reduce((sum, { payout_item_fee: fee = 0 }) => sum + fee, 0);
}

const LEFT: ReadonlySet<string> = new Set(['SUCCESS', 'UNCLAIMED', 'REFUNDED', 'RETURNED', 'REVERSED']);

/** Why PayPal did not carry out an item, a batch, or a request. */
export function refusalOf(name: string | undefined): PayoutFailure {
  if (name === undefined) return 'other';
  if (/INSUFFICIENT/.test(name)) return 'balance_short';
  if (/LIMIT|MAX_AMOUNT/.test(name)) return 'limit';
  if (/^RECEIVER_(?:UNREGISTERED|DOES_NOT_EXIST|NOT_FOUND)|_INVALID_RECEIVER/.test(name))
    return 'destination_unknown';
  if (/^RECEIVER_/.test(name)) return 'account_inactive';
  return /RISK|COMPLIANCE|REGULATORY|SANCTION/.test(name) ? 'blocked' : 'other';
}
