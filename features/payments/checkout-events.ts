import type { SaleEvent, SaleState } from '#features/sales/model.ts';
import type { CheckoutState } from '#gateways/payments/port.ts';

/** What we have on record about a sale when its provider answers. */
export interface RecordedSale {
  saleId: string;
  state: SaleState;
  totalCents: number;
  livemode: boolean;
  /** status of the provider's disputes on record, by reference */
  disputes: ReadonlyMap<string, string>;
  /** true while the property could still be sold to this buyer */
  available: boolean;
}

/** A sale event that follows from the state of its checkout. */
export interface CheckoutEvent {
  event: SaleEvent;
  note: string | null;
  disputeRef?: string;
}

const ended = (state: SaleState) => state.payment === 'failed' || state.escrow === 'cancelled';

/**
 * The events that a checkout's state means for its sale, in the order to apply them. The same state again, or an older one,
 * yields nothing, so reordered, repeated and lost messages do not matter (R3). Refunds are matched elsewhere.
 */
export function checkoutEvents(sale: RecordedSale, checkout: CheckoutState): CheckoutEvent[] {
  return [...paymentEvents(sale, checkout), ...disputeEvents(sale, checkout)];
}

function paymentEvents(sale: RecordedSale, checkout: CheckoutState): CheckoutEvent[] {
  const { payment } = sale.state;
  if (payment === 'completed' || payment === 'refunded') return [];
  switch (checkout.status) {
    case 'open':
      return [];
    case 'processing':
      return payment === 'pending' ? [{ event: 'submit_payment', note: null }] : [];
    case 'paid':
      return [paidEvent(sale, checkout)];
    case 'failed':
      return ended(sale.state) ? [] : [{ event: 'fail_payment', note: 'The payment failed.' }];
    case 'expired':
      return ended(sale.state) ? [] : [{ event: 'expire_checkout', note: 'The checkout expired.' }];
    case 'canceled':
      return ended(sale.state) ? [] : [{ event: 'expire_checkout', note: 'The checkout was closed.' }];
  }
}

/** A payment counts only if sale, amount, currency and mode (live or test) are the requested ones. */
function paidEvent(sale: RecordedSale, checkout: CheckoutState): CheckoutEvent {
  const mismatches = [
    checkout.saleId !== sale.saleId && 'the sale',
    checkout.amountCents !== sale.totalCents && 'the amount',
    checkout.currency !== 'usd' && 'the currency',
    checkout.livemode !== sale.livemode && 'the mode',
  ].filter(Boolean);
  if (mismatches.length > 0)
    return {
      event: 'hold_mismatch',
      note: `The payment differs from what was asked in ${mismatches.join(', ')}.`,
    };
  if (ended(sale.state))
    return { event: 'confirm_refused_payment', note: 'The payment arrived after the purchase had ended.' };
  return sale.available
    ? { event: 'confirm_payment', note: null }
    : { event: 'confirm_refused_payment', note: 'The property could not be sold any more.' };
}

function disputeEvents({ disputes }: RecordedSale, checkout: CheckoutState): CheckoutEvent[] {
  return checkout.disputes.flatMap((dispute) => {
    const recorded = disputes.get(dispute.ref);
    const events: CheckoutEvent[] = [];
    const about = { note: dispute.reason, disputeRef: dispute.ref };
    if (recorded === undefined) events.push({ event: 'open_dispute', ...about });
    if (dispute.status !== 'open' && (recorded === undefined || recorded === 'open'))
      events.push({ event: dispute.status === 'won' ? 'win_dispute' : 'lose_dispute', ...about });
    return events;
  });
}
