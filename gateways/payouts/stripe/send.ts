import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { PaymentError } from '../../payments/port.ts';
import { stripeError } from '../../payments/stripe/errors.ts';
import type { PayoutFailure, PayoutRequest, PayoutState } from '../port.ts';
import { type PayoutPart, partsOf, payoutContent } from '../request.ts';
import { type StripeConnectClient, transferGroup } from './client.ts';
import { transfersState } from './state.ts';
import { PAYOUT_KEY } from './webhook.ts';

/** The most that one transfer carries: Stripe accepts amounts of at most eight digits. */
const MAX_TRANSFER_CENTS = 99_999_999;

/** Metadata keys of a transfer: its place among those of the payout, all of the payout, and what was asked for. */
const PART = 'part';
const TOTAL = 'payout_cents';
const CONTENT = 'payout_content';

/** The transfers of one payout, in order. */
export const transfersOfKey = (transfers: readonly Stripe.Transfer[], key: string): Stripe.Transfer[] =>
  transfers
    .filter(({ metadata }) => metadata[PAYOUT_KEY] === key)
    .toSorted((a, b) => Number(a.metadata[PART]) - Number(b.metadata[PART]));

/** All of a payout, as its transfers say it. Cents. */
export const totalOf = (transfers: readonly Stripe.Transfer[]): number =>
  Number(transfers[0]?.metadata[TOTAL] ?? 0);

/**
 * Makes the transfers of a payout, one after the other, and stops at the first that Stripe refuses. What was made before is looked up:
 * Stripe forgets keys after a day, and never a transfer.
 * @throws PaymentError `conflict` for a key that was used with other content
 */
export async function sendTransfers(
  client: StripeConnectClient,
  request: PayoutRequest,
): Promise<PayoutState> {
  const { key, saleId, amountCents } = request;
  const content = createHash('sha256')
    .update(JSON.stringify(payoutContent(request)))
    .digest('hex');
  const made = transfersOfKey(await client.transfersOf(saleId), key);
  if (made.some(({ metadata }) => metadata[CONTENT] !== content))
    throw new PaymentError('conflict', 'This key was used for another payout');
  const transfers = [...made];
  let refusal: PayoutFailure | null = null;
  for (const [at, part] of partsOf(request, MAX_TRANSFER_CENTS).entries()) {
    if (made.some(({ metadata }) => metadata[PART] === String(at))) continue;
    const sent = await sendPart(client, request, { ...part, at, content });
    if (typeof sent === 'string') {
      refusal = sent;
      break;
    }
    transfers.push(sent);
  }
  return transfersState({ key, amountCents, refusal }, transfers);
}

/** The transfer, or why Stripe refuses it. @throws PaymentError where it may be made when it is asked for again */
async function sendPart(
  client: StripeConnectClient,
  { key, saleId, amountCents, destination, description }: PayoutRequest,
  { amountCents: cents, source, at, content }: PayoutPart & { at: number; content: string },
): Promise<Stripe.Transfer | PayoutFailure> {
  try {
    const charge = source === null ? null : await client.chargeOf(source);
    if (source !== null && charge === null) return 'other';
    return await client.transfer(
      {
        amount: cents,
        currency: 'usd',
        destination,
        description,
        transfer_group: transferGroup(saleId),
        ...(charge !== null && { source_transaction: charge }),
        metadata: {
          [PAYOUT_KEY]: key,
          sale_id: saleId,
          [PART]: String(at),
          [TOTAL]: String(amountCents),
          [CONTENT]: content,
        },
      },
      `${key}:${at}`,
    );
  } catch (error) {
    return refusalOf(error);
  }
}

/** Why Stripe refuses a transfer for good. @throws PaymentError for everything else */
function refusalOf(error: unknown): PayoutFailure {
  const failure = stripeError(error);
  const isFinal = !failure.retryable && failure.code !== 'auth' && failure.code !== 'conflict';
  if (!isFinal || !(error instanceof Stripe.errors.StripeError)) throw failure;
  if (failure.code === 'not_found') return error.param === 'destination' ? 'destination_unknown' : 'other';
  const known = REFUSALS[error.code ?? ''];
  if (known) return known;
  // Stripe has no code for these, only a text.
  if (/capabilities enabled/.test(error.message)) return 'account_inactive';
  return failure.code === 'limit' || /must not exceed the source amount/.test(error.message)
    ? 'limit'
    : 'other';
}

const REFUSALS: Readonly<Record<string, PayoutFailure>> = {
  account_invalid: 'destination_unknown',
  balance_insufficient: 'balance_short',
  capability_not_active: 'account_inactive',
  insufficient_capabilities_for_transfer: 'account_inactive',
  insufficient_funds: 'balance_short',
  transfers_not_allowed: 'account_inactive',
};
