import type { CheckoutState } from '#gateways/payments/port.ts';
import type { SaleEvent, SaleState } from './model.ts';

/** What of a sale decides what news of its provider mean. */
export interface Known {
  saleId: string;
  state: SaleState;
  totalCents: number;
  livemode: boolean;
  /** disputes of the provider that are on record, by their reference */
  disputes: ReadonlyMap<string, string>;
  /** true while the property could still be sold to this buyer */
  available: boolean;
}

/** One event that follows from a provider's answer. */
export interface News {
  event: SaleEvent;
  note: string | null;
  disputeRef?: string;
}

const ended = (state: SaleState) => state.payment === 'failed' || state.escrow === 'cancelled';

/**
 * What a provider's answer means for a sale, in the order to be done. The same answer again, or an older one, means nothing:
 * orders, repeats and losses of messages do not matter because only answers count (R3). Refunds are matched elsewhere.
 */
export function newsOf(known: Known, checkout: CheckoutState): News[] {
  return [...paymentNews(known, checkout), ...disputeNews(known, checkout)];
}

function paymentNews(known: Known, checkout: CheckoutState): News[] {
  const { payment } = known.state;
  if (payment === 'completed' || payment === 'refunded') return [];
  switch (checkout.status) {
    case 'open':
      return [];
    case 'processing':
      return payment === 'pending' ? [{ event: 'submit_payment', note: null }] : [];
    case 'paid':
      return [paidNews(known, checkout)];
    case 'failed':
      return ended(known.state) ? [] : [{ event: 'fail_payment', note: 'The payment failed.' }];
    case 'expired':
      return ended(known.state) ? [] : [{ event: 'expire_checkout', note: 'The checkout expired.' }];
    case 'canceled':
      return ended(known.state) ? [] : [{ event: 'expire_checkout', note: 'The checkout was closed.' }];
  }
}

/** Paid means paid only if it is this sale, this amount, this currency and real money exactly where it should be (B-075). */
function paidNews(known: Known, checkout: CheckoutState): News {
  const wrong = [
    checkout.saleId !== known.saleId && 'the sale',
    checkout.amountCents !== known.totalCents && 'the amount',
    checkout.currency !== 'usd' && 'the currency',
    checkout.livemode !== known.livemode && 'the mode',
  ].filter(Boolean);
  if (wrong.length > 0)
    return {
      event: 'hold_mismatch',
      note: `The payment differs from what was asked in ${wrong.join(', ')}.`,
    };
  if (ended(known.state))
    return { event: 'confirm_refused_payment', note: 'The payment arrived after the purchase had ended.' };
  return known.available
    ? { event: 'confirm_payment', note: null }
    : { event: 'confirm_refused_payment', note: 'The property could not be sold any more.' };
}

function disputeNews({ disputes }: Known, { dispute }: CheckoutState): News[] {
  if (!dispute) return [];
  const recorded = disputes.get(dispute.ref);
  const news: News[] = [];
  const about = { note: dispute.reason, disputeRef: dispute.ref };
  if (recorded === undefined) news.push({ event: 'open_dispute', ...about });
  if (dispute.status !== 'open' && (recorded === undefined || recorded === 'open'))
    news.push({ event: dispute.status === 'won' ? 'win_dispute' : 'lose_dispute', ...about });
  return news;
}
