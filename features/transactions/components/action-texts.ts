import type { DisputeRefusal } from '#features/disputes/model.ts';
import { partsSum } from '#features/ledger/allocation.ts';
import type {
  BankReturnRefusal,
  DecisionRefusal,
  RefundRefusal,
  UnsentRefundRefusal,
} from '#features/payments/model.ts';
import { RELEASE_DAYS, RELEASE_GRACE_HOURS } from '#features/sales/model.ts';
import { transitionRefusalMessages } from '#features/sales/rules.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { ActionRefusal, AdminAction } from '../admin-actions.ts';
import type { SaleDetails } from '../details-model.ts';

/** A button of the drawer, its dialog, and the toast afterwards. */
interface ActionText {
  label: string;
  title: string;
  /** what happens then */
  text: string;
  confirm: string;
  danger?: boolean;
  /** what the reason is asked for by; null for none */
  note: { label: string; required: boolean } | null;
}

const REASON = { label: 'Reason, shown to buyer and seller', required: true };

const left = ({ refundable }: SaleDetails) => dollarsAndCents(partsSum(refundable));
const held = ({ books: { escrowCents, feesCents } }: SaleDetails) => dollarsAndCents(escrowCents + feesCents);
const stuck = ({ stuckRefund }: SaleDetails) => dollarsAndCents(stuckRefund?.amountCents ?? 0);

/** What becomes of the sale when its refund is withdrawn. */
function withoutRefund({ stuckRefund, state }: SaleDetails): string {
  const owedCents = stuckRefund?.owedCents ?? 0;
  if (owedCents > 0) return `${dollarsAndCents(owedCents)} of it is still owed, and is refunded instead. `;
  return state.escrow === 'cancelled' ? '' : 'The sale continues without the refund. ';
}
const set = ({ books }: SaleDetails) => dollarsAndCents(books.suspenseCents);

/** Whether a second administrator has to accept what is missing, and whether one has asked. */
function secondWords({ breaks, approvalAboveCents }: SaleDetails, missingCents: number): string {
  if (missingCents <= approvalAboveCents) return '';
  const asked = breaks.some(
    ({ kind, state }) => kind === 'payment_mismatch' && state === 'awaiting_approval',
  );
  return asked
    ? 'One administrator has accepted that already; it happens when another one does, too.'
    : `That is above ${dollarsAndCents(approvalAboveCents)}: it happens when another administrator has accepted it, too.`;
}

/** What accepting a payment that differs means: too much goes back, too little is written off. */
function acceptedText(sale: SaleDetails): string {
  const { totalCents, books } = sale;
  const over = books.suspenseCents - totalCents;
  const differs =
    over > 0
      ? ` ${dollarsAndCents(over)} too much was paid and is refunded to the buyer.`
      : over < 0
        ? ` ${dollarsAndCents(-over)} is missing, and the marketplace bears it. ${secondWords(sale, -over)}`
        : '';
  return `${set(sale)} was received and counts as the payment of ${dollarsAndCents(totalCents)}. The money is held in escrow, and the property is no longer for sale.${differs} This cannot be undone.`;
}

const words: Record<AdminAction, (sale: SaleDetails) => ActionText> = {
  release: (sale) => ({
    label: 'Release',
    title: `Release the escrow of ${sale.property.address}`,
    text: `The sale closes: the ${held(sale)} in escrow is released, the property counts as sold, and the seller, ${sale.seller.name}, is paid once the holding period has passed.${sale.cancellationAskedBy ? ' The cancellation that was requested is dropped.' : ''} This cannot be undone.`,
    confirm: 'Release',
    note: REASON,
  }),
  accept_mismatch: (sale) => ({
    label: 'Accept payment',
    title: `Accept the payment for ${sale.property.address}`,
    text: acceptedText(sale),
    confirm: 'Accept payment',
    note: REASON,
  }),
  return_mismatch: (sale) => ({
    label: 'Return payment',
    title: `Return the payment for ${sale.property.address}`,
    text: `${set(sale)} is refunded to the buyer, ${sale.buyer.name}. The purchase ends, and the property is for sale again. This cannot be undone.`,
    confirm: 'Return payment',
    danger: true,
    note: REASON,
  }),
  dismiss_mismatch: (sale) => ({
    label: 'Dismiss payment',
    title: `Dismiss the payment for ${sale.property.address}`,
    text: 'Nothing was received that could be sent back. The purchase ends, and the property is for sale again. This cannot be undone.',
    confirm: 'Dismiss payment',
    danger: true,
    note: REASON,
  }),
  recognise_refund: (sale) => ({
    label: 'Record refund',
    title: `Record the refund of ${sale.property.address}`,
    text: `A refund was made at the payment provider without being ordered here: ${dollarsAndCents(sale.sentBackCents)} of ${dollarsAndCents(sale.leftCents + sale.sentBackCents)} has gone back. If it was the whole payment, the sale ends and the property is for sale again; otherwise the sale continues with the rest.`,
    confirm: 'Record refund',
    note: REASON,
  }),
  resolve_problem: (sale) => ({
    label: 'Resolve problem',
    title: `Resolve the problem with ${sale.property.address}`,
    text: `The ${sale.problem?.by ?? 'other side'} reported: “${sale.problem?.text ?? ''}” The sale continues. If the documents are delivered, escrow is released ${RELEASE_GRACE_HOURS} hours from now at the earliest.`,
    confirm: 'Resolve problem',
    note: { label: 'How it was settled, shown to buyer and seller', required: true },
  }),
  decline_cancellation: (sale) => ({
    label: 'Decline cancellation',
    title: `Decline the cancellation of ${sale.property.address}`,
    text: `The ${sale.cancellationAskedBy ?? 'other side'} asked to cancel. The sale continues as before.`,
    confirm: 'Decline cancellation',
    note: REASON,
  }),
  deliver_documents: (sale) => ({
    label: 'Mark documents delivered',
    title: `Documents for ${sale.property.address}`,
    text: `The buyer is asked to check them. Unless a problem is reported, escrow is released automatically in ${RELEASE_DAYS} days.`,
    confirm: 'Mark documents delivered',
    note: REASON,
  }),
  refund: (sale) => ({
    label: 'Refund…',
    title: `Refund ${sale.buyer.name}`,
    text:
      sale.state.escrow === 'completed'
        ? `${left(sale)} of the payment for ${sale.property.address} is left. The seller's share and the platform's shrink in proportion; what the seller has already been paid becomes a debt of the seller.`
        : `${left(sale)} of the payment for ${sale.property.address} is held in escrow. The sale continues with the rest; to refund everything, cancel the sale.`,
    confirm: 'Refund',
    danger: true,
    note: REASON,
  }),
  withdraw_refund: (sale) => ({
    label: 'Withdraw refund…',
    title: `Withdraw the refund for ${sale.property.address}`,
    text: `The ${stuck(sale)} for ${sale.buyer.name} was not sent, and is not sent anymore. ${withoutRefund(sale)}Make sure that it was not paid from your bank either.`,
    confirm: 'Withdraw refund',
    danger: true,
    note: REASON,
  }),
  record_bank_refund: (sale) => ({
    label: 'Pay refund by bank…',
    title: `Pay ${sale.buyer.name} from your bank`,
    text: `Nothing is sent from here, and from now on the payment provider is not asked to send the refund. Save the reference first, then transfer ${stuck(sale)} to ${sale.buyer.name} from your bank. Another administrator confirms it.`,
    confirm: 'Save reference',
    note: null,
  }),
  confirm_bank_refund: (sale) => ({
    label: 'Confirm refund',
    title: `Confirm the refund to ${sale.buyer.name}`,
    text: `Another administrator recorded ${stuck(sale)} with the reference ${sale.stuckRefund?.reference ?? ''}. Check it with the bank's statement: the refund is complete then, and the buyer is notified. This cannot be undone.`,
    confirm: 'Confirm refund',
    note: null,
  }),
  return_bank_refund: (sale) => ({
    label: 'Refund came back…',
    title: `The refund to ${sale.buyer.name} came back`,
    text: `Record this once the money is in your bank account again. ${sale.buyer.name} is still owed it: the refund is ordered again, and if the payment provider does not send it, you can pay it from your bank. The buyer is notified. This cannot be undone.`,
    confirm: 'Refund came back',
    note: { label: 'What your bank says', required: true },
  }),
  cancel_sale: (sale) => ({
    label: 'Cancel sale…',
    title: `Cancel the sale of ${sale.property.address}`,
    text: `${left(sale)} is refunded to the buyer, ${sale.buyer.name}, and the property is for sale again. The seller, ${sale.seller.name}, is paid nothing. This cannot be undone.`,
    confirm: 'Cancel sale',
    danger: true,
    note: REASON,
  }),
};

export const actionText = (action: AdminAction, sale: SaleDetails): ActionText => words[action](sale);

/** The toast when it is done. */
export const doneWords: Record<AdminAction, { title: string; text?: string }> = {
  release: { title: 'Escrow released', text: "The seller's payout is next." },
  accept_mismatch: { title: 'Payment accepted', text: 'The money is held in escrow.' },
  return_mismatch: { title: 'Payment returned', text: 'The refund is on its way to the buyer.' },
  dismiss_mismatch: { title: 'Payment dismissed', text: 'The purchase has ended.' },
  recognise_refund: { title: 'Refund recorded' },
  resolve_problem: { title: 'Problem resolved', text: 'The sale continues.' },
  decline_cancellation: { title: 'Cancellation declined', text: 'The sale continues.' },
  deliver_documents: { title: 'Documents delivered', text: 'The buyer has been asked to check them.' },
  refund: { title: 'Refund ordered', text: 'It is sent to the payment provider now.' },
  withdraw_refund: { title: 'Refund withdrawn', text: 'It is not sent anymore.' },
  record_bank_refund: { title: 'Reference saved', text: 'Another administrator has to confirm the refund.' },
  confirm_bank_refund: { title: 'Refund confirmed', text: 'The buyer has been notified.' },
  return_bank_refund: { title: 'Return recorded', text: 'The refund is ordered again.' },
  cancel_sale: { title: 'Sale cancelled', text: 'The refund is on its way to the buyer.' },
};

/** The toast when another administrator has to decide the same first. */
export const awaitingWords = {
  title: 'Approval requested',
  text: 'Nothing has changed yet: another administrator has to accept the payment, too.',
};

type Refusal =
  | ActionRefusal
  | RefundRefusal
  | UnsentRefundRefusal
  | BankReturnRefusal
  | DecisionRefusal
  | DisputeRefusal;

const refusals: Record<Refusal, string> = {
  ...transitionRefusalMessages,
  not_now: 'The sale has changed in the meantime, and this is no longer possible. You see its current state.',
  not_yours: 'Another administrator has to decide about your own purchase.',
  own_purchase: 'Another administrator has to decide about your own purchase.',
  unavailable: 'The property is no longer for sale, so the payment can only be returned.',
  no_mismatch: 'This payment has been decided in the meantime. You see the current state.',
  no_unexpected_refund: 'This refund has been recorded in the meantime. You see the current state.',
  same_administrator: 'You asked for it. Another administrator has to accept the payment, too.',
  nothing_received: 'Nothing was received that could be accepted.',
  no_reason: 'Please give a reason.',
  nothing: 'Please enter an amount.',
  too_much: 'This is more than is left of the payment.',
  cancel_instead: 'This is everything that is held. To refund all of it, cancel the sale.',
  key_used: 'Another refund of this sale has been ordered in the meantime. You see what is left.',
  charged_back:
    'A chargeback has taken part of the payment, and the provider refunds nothing of the rest. What a cancellation owes the buyer can be paid from your bank.',
  has_left: 'This refund has been sent, or has ended, in the meantime. You see the current state.',
  owed: 'The buyer is owed this refund, so it cannot be withdrawn. If the provider does not send it, pay it from your bank.',
  changed: 'This refund has changed in the meantime. You see the current state.',
  no_reference: 'Please enter the reference of the bank transfer.',
  second_look: 'You recorded the bank transfer. Another administrator has to confirm it.',
  decided: 'The bank has decided this dispute in the meantime. You see the current state.',
  not_answerable: 'This dispute can no longer be answered.',
  answered: 'This dispute has been answered or accepted in the meantime. You see the current state.',
};

/** Why something was refused, or cannot be done now. */
export const refusalText = (reason: Refusal): string => refusals[reason];

/** Refusals of what was typed, by field; everything else means that the sale has changed. */
export const fieldOfRefusal: Partial<Record<Refusal, string>> = {
  no_reason: 'note',
  no_reference: 'reference',
  nothing: 'base',
  too_much: 'base',
  cancel_instead: 'base',
};
