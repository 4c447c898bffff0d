import type { PayoutFailure } from '#gateways/payouts/port.ts';

/** Before it was sent, `held`: the sale was frozen or disputed, or money began to go back to the buyer; `suspended`: the seller was. */
export type RecordedFailure = PayoutFailure | 'held' | 'suspended';

/** Why a payout did not arrive, as its seller is told; what is ours to mend needs no details. */
const sellerTexts: Record<RecordedFailure, string> = {
  account_inactive: 'Your account with the payment provider cannot receive payouts right now.',
  destination_unknown: 'The payment provider does not know the account that you have chosen.',
  balance_short: 'The payout could not be sent yet. You do not need to do anything.',
  unclaimed: 'You have not accepted the payment with PayPal.',
  returned: 'It was returned by your bank or payment provider.',
  reversed: 'The payment provider has taken it back.',
  blocked: 'The payment provider has stopped it.',
  limit: 'It is more than the payment provider can send you.',
  held: 'The sale is under review.',
  suspended: 'Your seller account is suspended.',
  other: 'The payment provider could not carry it out.',
};

const adminTexts: Record<RecordedFailure, string> = {
  account_inactive: "The seller's account cannot receive payouts.",
  destination_unknown: 'The provider does not know the account of the seller.',
  balance_short: "The marketplace's balance with the provider did not cover it.",
  unclaimed: 'The seller has not accepted it.',
  returned: 'It came back.',
  reversed: 'The provider has taken it back.',
  blocked: 'The provider has stopped it.',
  limit: 'It is more than the provider can send.',
  held: 'The sale was frozen, disputed or being refunded before it was sent.',
  suspended: 'The seller was suspended before it was sent.',
  other: 'The provider refused it.',
};

export const payoutFailureForSeller = (failure: RecordedFailure | null): string =>
  sellerTexts[failure ?? 'other'];

export const payoutFailureForAdmin = (failure: RecordedFailure | null): string =>
  adminTexts[failure ?? 'other'];
