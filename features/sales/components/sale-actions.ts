import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { keysOf } from '#platform/typed-keys.ts';
import { RELEASE_DAYS, RELEASE_GRACE_HOURS, type SaleEvent, type SaleView } from '../model.ts';
import { NOTE_MAX_LENGTH, PURCHASE_CANCELLED } from '../rules.ts';

/** An action button of the sale page and its confirmation dialog. */
export interface SaleAction {
  label: string;
  title: string;
  text: string;
  /** label of the confirming button */
  confirm: string;
  variant: 'primary' | 'outline' | 'danger';
  /** shown as a link beside the buttons */
  quiet?: boolean;
  /** takes documents */
  files?: true;
  /** the text field, if the action takes a note */
  note: { label: string; required: boolean } | null;
}

type ActionSale = Pick<
  SaleView,
  | 'property'
  | 'party'
  | 'seller'
  | 'totalCents'
  | 'refundedCents'
  | 'leftCents'
  | 'sentBackCents'
  | 'cancellationAskedBy'
  | 'documentsDeliveredAt'
  | 'documentsReady'
>;

const held = ({ totalCents, refundedCents }: ActionSale) => dollarsAndCents(totalCents - refundedCents);

/** What is refunded when the sale ends: something may have gone back already. */
const owed = ({ leftCents, sentBackCents }: ActionSale): string =>
  sentBackCents > 0
    ? `The ${dollarsAndCents(leftCents)} that is left of the payment`
    : `The whole payment of ${dollarsAndCents(leftCents)}`;

const closing = (sale: ActionSale): SaleAction => ({
  label: 'Confirm closing',
  title: `Confirm the closing of ${sale.property.address}`,
  text: `The property is then yours, and the ${held(sale)} in escrow is released: the seller, ${sale.seller.name}, is paid from it. This cannot be undone.`,
  confirm: 'Confirm closing',
  variant: 'primary',
  note: null,
});

/** Without a document at hand the buyer has nothing to confirm: possible, but neither first nor without a warning. */
const closingEarly = (sale: ActionSale): SaleAction => ({
  label: 'Confirm closing without documents',
  title: `The closing documents for ${sale.property.address} ${sale.documentsDeliveredAt === null ? 'have not been delivered' : 'cannot be downloaded yet'}`,
  text: `If you confirm now, the ${held(sale)} in escrow is released, and the seller, ${sale.seller.name}, is paid from it, even if you never receive the documents. You can then no longer cancel the sale or get your money back here. This cannot be undone.`,
  confirm: 'Release the money now',
  variant: 'danger',
  quiet: true,
  note: null,
});

const saleActions: Partial<Record<SaleEvent, (sale: ActionSale) => SaleAction>> = {
  confirm_closing: (sale) => (sale.documentsReady ? closing(sale) : closingEarly(sale)),
  deliver_documents: ({ property }) => ({
    label: 'Mark documents delivered',
    title: `Documents for ${property.address}`,
    text: `The buyer is asked to check them. Unless a problem is reported, escrow is released automatically in ${RELEASE_DAYS} days.`,
    confirm: 'Mark documents delivered',
    variant: 'primary',
    files: true,
    note: null,
  }),
  cancel_undelivered: (sale) => ({
    label: 'End the sale',
    title: `End the sale of ${sale.property.address}`,
    text: `The documents were not delivered in time. ${owed(sale)} is refunded to you, and the property is for sale again. This cannot be undone.`,
    confirm: 'End the sale',
    variant: 'danger',
    note: { label: 'Why?', required: false },
  }),
  agree_cancellation: (sale) => ({
    label: 'Agree to cancellation',
    title: `Cancel the sale of ${sale.property.address}`,
    text: `${owed(sale)} is refunded to ${sale.party === 'buyer' ? 'you' : 'the buyer'}, and the property is for sale again. This cannot be undone.`,
    confirm: 'Agree to cancellation',
    variant: 'danger',
    note: null,
  }),
  decline_cancellation: ({ party, cancellationAskedBy }) => {
    const label = cancellationAskedBy === party ? 'Withdraw request' : 'Decline';
    return {
      label,
      title: label === 'Decline' ? 'Decline the cancellation' : 'Withdraw your request',
      text: 'The sale continues as before.',
      confirm: label,
      variant: 'outline',
      note: null,
    };
  },
  report_problem: () => ({
    label: 'Report a problem',
    title: 'Report a problem',
    text: 'An administrator reviews it. No money leaves escrow until it is settled.',
    confirm: 'Report problem',
    variant: 'outline',
    note: { label: 'What is wrong?', required: true },
  }),
  withdraw_problem: () => ({
    label: 'Withdraw report',
    title: 'Withdraw your problem report',
    text: `The sale continues. If the documents are delivered, escrow is released ${RELEASE_GRACE_HOURS} hours from now at the earliest.`,
    confirm: 'Withdraw report',
    variant: 'outline',
    note: null,
  }),
  request_cancellation: ({ property, party }) => ({
    label: 'Request cancellation',
    title: `Request to cancel the sale of ${property.address}`,
    text: `The ${party === 'buyer' ? 'seller' : 'buyer'} agrees or declines. If both agree, the whole payment is refunded to the buyer.`,
    confirm: 'Request cancellation',
    variant: 'outline',
    note: { label: 'Why?', required: false },
  }),
  cancel_checkout: ({ property }) => ({
    label: 'Cancel purchase',
    title: `Cancel the purchase of ${property.address}`,
    text: 'Nothing was charged. The property is no longer held for you.',
    confirm: 'Cancel purchase',
    variant: 'outline',
    note: null,
  }),
};

/**
 * The viewer's actions, in the order of the table above; events without a button are left out. Confirming the closing comes
 * last until there are documents to look at.
 */
export function availableActions(sale: SaleView): { event: SaleEvent; action: SaleAction }[] {
  const actions = keysOf(saleActions).flatMap((event) => {
    const action = sale.actions.includes(event) ? saleActions[event]?.(sale) : undefined;
    return action ? [{ event, action }] : [];
  });
  const early = ({ event }: { event: SaleEvent }) => event === 'confirm_closing' && !sale.documentsReady;
  return actions.toSorted((a, b) => Number(early(a)) - Number(early(b)));
}

/** What is wrong with the note of an action, or null. */
export function validateNote(event: SaleEvent, note: string): string | null {
  if (event === 'report_problem' && note.trim() === '') return 'Please say what is wrong.';
  return note.trim().length > NOTE_MAX_LENGTH
    ? `Please use at most ${formatCount(NOTE_MAX_LENGTH)} characters.`
    : null;
}

const doneMessages: Partial<Record<SaleEvent, { title: string; text: string }>> = {
  confirm_closing: { title: 'Closing confirmed', text: 'Escrow is released to the seller.' },
  deliver_documents: { title: 'Documents delivered', text: 'The buyer has been asked to check them.' },
  agree_cancellation: { title: 'Sale cancelled', text: 'The payment is refunded to the buyer.' },
  cancel_undelivered: { title: 'Sale ended', text: 'The whole payment is refunded to you.' },
  withdraw_problem: { title: 'Report withdrawn', text: 'The sale continues.' },
  decline_cancellation: { title: 'Cancellation closed', text: 'The sale continues as before.' },
  report_problem: { title: 'Problem reported', text: 'An administrator will review it.' },
  request_cancellation: { title: 'Cancellation requested', text: 'The other side has been asked.' },
  cancel_checkout: PURCHASE_CANCELLED,
};

/** The toast after documents were added. */
export const DOCUMENTS_ADDED = {
  title: 'Documents added',
  text: 'Both sides can download them on this page.',
};

/** The toast after a successful action. */
export const actionDoneMessage = (event: SaleEvent) => doneMessages[event] ?? { title: 'Done', text: '' };
