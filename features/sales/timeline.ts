import type { Party, SaleEvent } from './model.ts';

/** The labels of events in the timeline. */
export const eventLabels: Record<SaleEvent, string> = {
  begin: 'Purchase started',
  submit_payment: 'Payment submitted',
  receive_part: 'Part of the payment received',
  confirm_payment: 'Payment received, money held in escrow',
  confirm_refused_payment: 'Payment arrived too late, refund on its way',
  fail_payment: 'Payment failed',
  expire_checkout: 'Checkout expired',
  cancel_checkout: 'Checkout cancelled',
  hold_mismatch: 'Payment held for review',
  accept_mismatch: 'Payment accepted after review, money held in escrow',
  return_mismatch: 'Payment not accepted, refund on its way',
  dismiss_mismatch: 'Payment not accepted, purchase ended',
  return_incomplete: 'Payment not complete in time, refund on its way',
  return_surplus: 'Overpayment received, refund on its way',
  deliver_documents: 'Closing documents delivered',
  remove_documents: 'Closing documents removed because of malware, to be delivered again',
  miss_documents_deadline: 'Closing documents overdue',
  cancel_undelivered: 'Sale ended by the buyer because the documents were overdue, refund on its way',
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
  reverse_dispute: 'Lost dispute reversed, payment returned by the bank',
  freeze_sale: 'Sale frozen for review',
  unfreeze_sale: 'Review of the sale ended',
  recognise_refund: 'Refund made at the provider recorded',
  request_refund: 'Refund on its way',
  withdraw_refund: 'Refund withdrawn',
  pay_refund: 'Refund paid by bank transfer',
  settle_partial_refund: 'Part of the payment refunded',
  settle_refund: 'Payment refunded',
  return_refund: 'Refund returned by the bank, sent again',
  fail_refund: 'Refund failed, being sent again',
  start_payout: 'Payout started',
  complete_payout: 'Payout sent to the seller',
  fail_payout: 'Payout failed',
  return_payout: 'Payout came back',
  retry_payout: 'Payout to be sent again',
  reopen_payout: 'Another payout due',
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
