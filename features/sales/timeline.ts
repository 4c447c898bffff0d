import { dollarsAndCents } from '#platform/money.ts';
import { documentsOverdue } from './documents.ts';
import type { NextStep, PartsReceived, Party, SaleEvent, SaleState } from './model.ts';
import type { SaleFacts } from './transition.ts';

/** The labels of events in the timeline. */
export const eventLabels: Record<SaleEvent, string> = {
  begin: 'Purchase begun',
  submit_payment: 'Payment submitted',
  receive_part: 'Part of the payment received',
  confirm_payment: 'Payment received, money held in escrow',
  confirm_refused_payment: 'Payment arrived too late and is sent back',
  fail_payment: 'Payment failed',
  expire_checkout: 'Checkout expired',
  cancel_checkout: 'Checkout cancelled',
  hold_mismatch: 'Payment held for review',
  accept_mismatch: 'Payment accepted after review, money held in escrow',
  return_mismatch: 'Payment not accepted, refund on its way',
  dismiss_mismatch: 'Payment not accepted, purchase ended',
  return_incomplete: 'Payment not complete in time, refund on its way',
  return_surplus: 'More than the price received, refund on its way',
  deliver_documents: 'Closing documents delivered',
  miss_documents_deadline: 'Closing documents overdue',
  cancel_undelivered: 'Sale ended by the buyer for want of documents, refund on its way',
  confirm_closing: 'Closing confirmed, escrow released',
  release: 'Escrow released by an administrator',
  auto_release: 'Escrow released',
  request_cancellation: 'Cancellation requested',
  decline_cancellation: 'Cancellation declined or withdrawn',
  agree_cancellation: 'Cancellation agreed, refund on its way',
  cancel_sale: 'Sale cancelled by an administrator, refund on its way',
  report_problem: 'Problem reported',
  resolve_problem: 'Problem settled',
  withdraw_problem: 'Problem report withdrawn',
  open_dispute: 'Payment disputed by the bank',
  win_dispute: 'Dispute decided, payment stands',
  lose_dispute: 'Dispute decided, payment taken back',
  reverse_dispute: 'Lost dispute decided for the payment after all',
  freeze_sale: 'Sale frozen for review',
  unfreeze_sale: 'Review of the sale ended',
  recognise_refund: 'Refund made at the provider recorded',
  request_refund: 'Refund on its way',
  settle_partial_refund: 'Part of the payment refunded',
  settle_refund: 'Payment refunded',
  return_refund: 'Refund came back and is sent again',
  fail_refund: 'Refund failed and is tried again',
};

/** The label of a history entry; events outside the state machine, such as payouts, are labelled by their name. */
export const eventLabel = (event: string): string =>
  (Object.hasOwn(eventLabels, event) ? eventLabels[event as SaleEvent] : undefined) ??
  event.charAt(0).toUpperCase() + event.slice(1).replaceAll('_', ' ');

const partyLabels: Record<Exclude<Party, 'system'>, string> = {
  buyer: 'Buyer',
  seller: 'Seller',
  admin: 'Administrator',
};

/** Who did something, in words; what happens by itself is done by the marketplace, under its name. */
export const partyLabel = (party: Party, brand: string): string =>
  party === 'system' ? brand : partyLabels[party];

const partsText = ({ receivedCents, totalCents }: PartsReceived): string =>
  receivedCents === 0
    ? 'The buyer pays by bank transfer. The first transfer is due; the rest follows within seven days.'
    : `Part of the payment has arrived: ${dollarsAndCents(receivedCents)} of ${dollarsAndCents(totalCents)}. The rest is due.`;

const OVERDUE =
  'The closing documents are overdue. The buyer can end the sale and get the whole payment back.';

/**
 * What comes next, by when, and who must act; null when the sale is over. `lockedUntil` is when an unpaid hold ends; `parts` says
 * of a payment in parts what has arrived of it, in cents.
 */
export function nextStepOf(
  { payment, escrow, payout }: SaleState,
  facts: SaleFacts,
  lockedUntil: Date | null,
  parts: PartsReceived | null = null,
): NextStep | null {
  const by = (date: Date | null) => date?.toISOString() ?? null;
  if (escrow === 'pending') {
    if (facts.frozen) return { text: 'We are checking the payment.', who: 'admin', by: null };
    if (parts) return { text: partsText(parts), who: 'buyer', by: by(lockedUntil) };
    return payment === 'processing'
      ? {
          text: 'The payment is on its way. Bank transfers take up to four business days.',
          who: 'system',
          by: by(lockedUntil),
        }
      : { text: 'The buyer pays on the checkout page.', who: 'buyer', by: by(lockedUntil) };
  }
  if (escrow === 'cancelled')
    return payment === 'completed'
      ? { text: 'The refund is on its way back to the buyer.', who: 'system', by: null }
      : null;
  if (escrow === 'completed')
    return payout === 'completed' ? null : { text: "The seller's payout is next.", who: 'admin', by: null };
  if (facts.frozen)
    return { text: 'The bank decides the dispute. Until then nothing moves.', who: 'system', by: null };
  const overdue = documentsOverdue(facts);
  if (overdue && (facts.problemOpen || facts.cancellationAskedBy))
    return { text: OVERDUE, who: 'buyer', by: null };
  if (facts.problemOpen)
    return {
      text: 'An administrator settles the reported problem. Whoever reported it can withdraw it.',
      who: 'admin',
      by: null,
    };
  if (facts.cancellationAskedBy) {
    const other = facts.cancellationAskedBy === 'buyer' ? 'seller' : 'buyer';
    return { text: `The ${other} agrees to the cancellation or declines it.`, who: other, by: null };
  }
  if (facts.documentsDelivered)
    return {
      text: 'The buyer confirms the closing or reports a problem. Without either, escrow is released.',
      who: 'buyer',
      by: by(facts.releaseDueAt),
    };
  return overdue
    ? { text: `${OVERDUE} Until then the seller can still deliver them.`, who: 'seller', by: null }
    : { text: 'The seller delivers the closing documents.', who: 'seller', by: by(facts.documentsDueAt) };
}
