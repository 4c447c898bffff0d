import type { ManualPayoutRefusal, PayoutRefusal } from './model.ts';

interface RefusalFacts {
  /** null when it is not known */
  sellerName: string | null;
  saleId: string;
  /** when the payout will be possible, for refusals that time settles */
  until?: Date | null;
}

const day = (until: Date | null | undefined) =>
  until
    ? ` It can be paid from ${until.toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })}.`
    : '';

/** Why a payout cannot be started, in words for administrators. */
export function payoutRefusalText(
  refusal: PayoutRefusal,
  { sellerName, saleId, until }: RefusalFacts,
): string {
  const seller = `Seller ${sellerName ?? ''}`.trim();
  switch (refusal) {
    case 'no_seller':
      return `Seller information not found for sale ${saleId}`;
    case 'no_method':
      return `${seller} has not set their preferred payout method`;
    case 'no_stripe_account':
      return `${seller} has not connected their Stripe account`;
    case 'no_paypal_email':
      return `${seller} has not provided their PayPal email`;
    case 'paypal_unconfirmed':
      return `${seller} has not confirmed their PayPal email`;
    case 'account_inactive':
      return `${seller} has a Stripe account that cannot receive payouts yet`;
    case 'suspended':
      return `${seller} is suspended`;
    case 'cooling_down':
      return `${seller} has changed where payouts go, so they are held.${day(until)}`;
    case 'risk_hold':
      return `The buyer's payment can still be taken back.${day(until)}`;
    case 'not_released':
      return 'The escrow of this sale has not been released.';
    case 'already_processing':
      return 'This payout is already being processed.';
    case 'not_open':
      return 'No payout of this sale is pending.';
    case 'frozen':
      return 'This sale is frozen until an open question is settled.';
    case 'disputed':
      return "The buyer's bank disputes the payment.";
    case 'refund_running':
      return 'A refund of this sale is on its way to the buyer.';
    case 'amount_changed':
      return 'The amount due has changed. Please check it and start the payout again.';
    case 'wrong_mode':
      return 'The sale was paid in another mode, test or live, than payouts are made in.';
    case 'balance_short':
      return "The marketplace's balance with the payment provider does not cover this payout now.";
  }
}

/** Why a payout by hand cannot be recorded or confirmed, in words for administrators. */
export const manualPayoutRefusalTexts: Record<ManualPayoutRefusal, string> = {
  not_processing: 'This payout is no longer being processed.',
  changed: 'Another administrator has confirmed this payout in the meantime. Please look at it again.',
  no_reference: 'Please enter what the bank calls the payment.',
  no_reason: 'Please say what happened.',
  second_look: 'Another administrator has to confirm what you have recorded.',
};
