import type { SaleEvent, SaleView } from '../model.ts';
import { dollarsAndCents, NOTE_LIMIT, PURCHASE_CANCELLED } from '../rules.ts';

/** What a button of the timeline page says and asks before it does anything. */
export interface Deed {
  label: string;
  title: string;
  text: string;
  /** names the deed */
  confirm: string;
  look: 'primary' | 'outline' | 'danger';
  /** the field for words, where some are wanted */
  note: { label: string; required: boolean } | null;
}

type Told = Pick<SaleView, 'property' | 'party' | 'seller' | 'totalCents' | 'cancellationAskedBy'>;

const deeds: Partial<Record<SaleEvent, (sale: Told) => Deed>> = {
  confirm_closing: ({ property, seller }) => ({
    label: 'Confirm closing',
    title: `Confirm the closing of ${property.address}`,
    text: `The house is then yours, and the money in escrow goes to the seller, ${seller.name}. This cannot be taken back.`,
    confirm: 'Confirm closing',
    look: 'primary',
    note: null,
  }),
  deliver_documents: ({ property }) => ({
    label: 'Mark documents delivered',
    title: `Documents for ${property.address}`,
    text: 'The buyer is asked to check them. Without a problem report, escrow is released 7 days from now.',
    confirm: 'Mark documents delivered',
    look: 'primary',
    note: null,
  }),
  agree_cancellation: ({ property, totalCents, party }) => ({
    label: 'Agree to cancellation',
    title: `Cancel the sale of ${property.address}`,
    text: `The whole payment of ${dollarsAndCents(totalCents)} goes back to ${party === 'buyer' ? 'you' : 'the buyer'}, and the property is for sale again. This cannot be taken back.`,
    confirm: 'Agree to cancellation',
    look: 'danger',
    note: null,
  }),
  decline_cancellation: ({ party, cancellationAskedBy }) => {
    const label = cancellationAskedBy === party ? 'Withdraw request' : 'Decline';
    return {
      label,
      title: label === 'Decline' ? 'Decline the cancellation' : 'Withdraw your request',
      text: 'The sale goes on as before.',
      confirm: label,
      look: 'outline',
      note: null,
    };
  },
  report_problem: () => ({
    label: 'Report a problem',
    title: 'Report a problem',
    text: 'An administrator looks at it. Until it is settled, no money leaves escrow.',
    confirm: 'Report problem',
    look: 'outline',
    note: { label: 'What is wrong?', required: true },
  }),
  request_cancellation: ({ property, party }) => ({
    label: 'Request cancellation',
    title: `Request to cancel the sale of ${property.address}`,
    text: `The ${party === 'buyer' ? 'seller' : 'buyer'} agrees or declines. When both agree, the whole payment goes back to the buyer.`,
    confirm: 'Request cancellation',
    look: 'outline',
    note: { label: 'Why?', required: false },
  }),
  cancel_checkout: ({ property }) => ({
    label: 'Cancel purchase',
    title: `Cancel the purchase of ${property.address}`,
    text: 'Nothing was charged. The property is no longer held for you.',
    confirm: 'Cancel purchase',
    look: 'outline',
    note: null,
  }),
};

/** The buttons of whoever looks, in the order of the table; what is for nobody's button is left out (B-077). */
export const deedsOf = (sale: SaleView): { event: SaleEvent; deed: Deed }[] =>
  (Object.keys(deeds) as SaleEvent[]).flatMap((event) => {
    const deed = sale.actions.includes(event) ? deeds[event]?.(sale) : undefined;
    return deed ? [{ event, deed }] : [];
  });

/** What is wrong with the words that go with a deed, or null. */
export function noteProblem(event: SaleEvent, note: string): string | null {
  if (event === 'report_problem' && note.trim() === '') return 'Please say what is wrong.';
  return note.trim().length > NOTE_LIMIT
    ? `Please use at most ${NOTE_LIMIT.toLocaleString('en-US')} characters.`
    : null;
}

const done: Partial<Record<SaleEvent, { title: string; text: string }>> = {
  confirm_closing: { title: 'Closing confirmed', text: 'Escrow is released to the seller.' },
  deliver_documents: { title: 'Documents delivered', text: 'The buyer has been asked to check them.' },
  agree_cancellation: { title: 'Sale cancelled', text: 'The payment goes back to the buyer.' },
  decline_cancellation: { title: 'Cancellation closed', text: 'The sale goes on as before.' },
  report_problem: { title: 'Problem reported', text: 'An administrator will look at it.' },
  request_cancellation: { title: 'Cancellation requested', text: 'The other side has been asked.' },
  cancel_checkout: PURCHASE_CANCELLED,
};

/** What the toast says when a deed is done. */
export const deedDone = (event: SaleEvent) => done[event] ?? { title: 'Done', text: '' };
