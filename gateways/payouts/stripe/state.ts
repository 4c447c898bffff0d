import type Stripe from 'stripe';
import { inBankAt } from '../arrival.ts';
import type { PayoutFailure, PayoutItem, PayoutState, SellerAccount } from '../port.ts';
import { payoutState } from '../state.ts';

/** The state of a payout out of its transfers. `amountCents` is all of it; `refusal` says why the rest was refused. */
export function transfersState(
  { key, amountCents, refusal }: { key: string; amountCents: number; refusal: PayoutFailure | null },
  transfers: readonly Stripe.Transfer[],
): PayoutState {
  return payoutState({
    key,
    ref: null,
    amountCents,
    items: transfers.map(transferItem),
    refusal,
    feeCents: 0,
    arrivesAt: transfers
      .map((transfer) => inBankAt(availableAt(transfer)))
      .reduce<Date | null>((latest, at) => (latest && latest > at ? latest : at), null),
  });
}

/** A transfer has arrived as soon as it is made; it can only be reversed. */
const transferItem = ({ id, amount, amount_reversed, reversed }: Stripe.Transfer): PayoutItem => ({
  ref: id,
  amountCents: amount,
  returnedCents: amount_reversed,
  status: reversed ? 'returned' : 'paid',
  failure: reversed ? 'reversed' : null,
});

/** When the seller can use it: that of a payment that is not available yet, with the payment. */
function availableAt({ created, source_transaction: source }: Stripe.Transfer): Date {
  const charge = typeof source === 'object' ? source : null;
  const booked = typeof charge?.balance_transaction === 'object' ? charge.balance_transaction : null;
  return new Date(Math.max(created, booked?.available_on ?? 0) * 1000);
}

type Status = Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance.StripeTransfers;

/** What an account at Stripe means for payouts. */
export function sellerAccount({ id, configuration }: Stripe.V2.Core.Account): SellerAccount {
  const transfers = configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers;
  const transfersActive = transfers?.status === 'active';
  return { ref: id, transfersActive, requirement: transfersActive ? null : requirementOf(transfers) };
}

const NOT_SET_UP = 'Complete the setup of your Stripe account.';

/** Why transfers are not active, as a sentence for the seller. */
function requirementOf(transfers: Status | undefined): string {
  const code = transfers?.status_details[0]?.code ?? '';
  if (code.startsWith('rejected_')) return 'Stripe has rejected this account. Please contact Stripe.';
  if (code.startsWith('unsupported_')) return 'Stripe does not support this kind of account.';
  return REQUIREMENTS[code] ?? NOT_SET_UP;
}

const REQUIREMENTS: Readonly<Record<string, string>> = {
  determining_status: 'Stripe is reviewing your account.',
  requirements_past_due: 'Stripe needs more information about you.',
  requirements_pending_verification: 'Stripe is verifying what you have submitted.',
  restricted_other: 'Stripe has restricted this account. Please contact Stripe.',
};
