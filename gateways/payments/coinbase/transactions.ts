import { z } from 'zod';
import { PaymentError, type ProviderTransaction, type TransactionPage } from '../port.ts';
import { CoinbaseCheckout, currencyOf } from './checkout.ts';
import type { CoinbaseClient } from './client.ts';

/** Every checkout with a payment is in one of these, and only ever moves to a later one: none is missed between the walks. */
const STATUSES = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;
const PAGE_SIZE = '100';

const CheckoutList = z.object({ checkouts: z.array(CoinbaseCheckout), nextPageToken: z.string().nullish() });

/**
 * One page of payments and refunds, one status of Coinbase's list of checkouts after the other. The list neither filters by
 * time nor says when a checkout was paid: a payment is dated by when its checkout was opened, which never changes, and comes
 * back as long as its checkout has changed since. A refund is dated by when it arrived, and left our balance then.
 *
 * The list knows nothing else that moves our USDC, such as withdrawals to a bank or another address.
 * @throws PaymentError `invalid` for a cursor that is not one of ours
 */
export async function coinbaseTransactions(
  client: CoinbaseClient,
  { since, cursor = 'COMPLETED:' }: { since: Date; cursor?: string },
): Promise<TransactionPage> {
  const [, name, pageToken = ''] = /^([A-Z_]+):(.*)$/s.exec(cursor) ?? [];
  const status = STATUSES.find((each) => each === name);
  if (status === undefined) throw new PaymentError('invalid', 'This is no cursor of a list of transactions');
  const query = { pageSize: PAGE_SIZE, status, ...(pageToken ? { pageToken } : {}) };
  const { checkouts, nextPageToken } = await client.send(CheckoutList, {
    method: 'GET',
    path: '/checkouts',
    query,
  });
  const following = STATUSES[STATUSES.indexOf(status) + 1];
  return {
    transactions: checkouts.flatMap((checkout) => transactionsOf(checkout, since)),
    next: nextPageToken ? `${status}:${nextPageToken}` : following ? `${following}:` : null,
  };
}

function transactionsOf(checkout: CoinbaseCheckout, since: Date): ProviderTransaction[] {
  const saleId = checkout.metadata?.sale_id;
  const about = {
    currency: currencyOf(checkout),
    checkoutRef: checkout.id,
    paymentRef: null,
    saleId: typeof saleId === 'string' ? saleId : null,
  };
  const payment: ProviderTransaction = {
    ...about,
    ref: `payment:${checkout.id}`,
    kind: 'payment',
    amountCents: checkout.amount,
    feeCents: checkout.settlement?.feeAmount ?? 0,
    objectRef: null,
    at: checkout.createdAt,
  };
  const refunds = (checkout.refunds ?? []).flatMap(({ ref, status, amountCents, completedAt }) => {
    if (status !== 'succeeded') return [];
    const refund: ProviderTransaction = {
      ...about,
      ref: `refund:${ref}`,
      kind: 'refund',
      amountCents: -amountCents,
      feeCents: 0,
      objectRef: ref,
      at: completedAt ?? checkout.updatedAt,
    };
    return refund.at >= since ? [refund] : [];
  });
  return checkout.updatedAt >= since ? [payment, ...refunds] : refunds;
}
