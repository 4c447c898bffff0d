import { payoutFailureForSeller, type RecordedFailure } from './failure-texts.ts';
import type { PayoutRefusal, PayoutRowStatus } from './model.ts';
import type { PayoutDecision } from './payout-decision.ts';

/** Where the payout of a sale stands, in words for its seller. Cents; times are ISO, UTC. */
export interface PayoutStanding {
  state: 'held' | 'ready' | 'processing' | 'paid' | 'settled' | 'failed' | 'returned';
  title: string;
  text: string;
  /** until when it is held, when it is expected, or when it was paid; `atLabel` says which */
  at: string | null;
  atLabel: 'Until' | 'Expected' | 'Paid' | null;
  /** the seller can do something about it in the payment settings */
  inSettings: boolean;
  /** what is sent, or due */
  amountCents: number;
  /** set off against what the seller owed */
  nettedCents: number;
  /** what the seller's bank or provider calls it */
  reference: string | null;
}

/** The latest attempt to pay the seller of a sale. Cents. */
export interface LatestPayout {
  status: PayoutRowStatus;
  byHand: boolean;
  amountCents: number;
  nettedCents: number;
  /** what arrived, whether it stayed or not */
  paidCents: number;
  failure: RecordedFailure | null;
  reference: string | null;
  arrivesAt: Date | null;
  settledAt: Date | null;
}

interface StandingFacts {
  payout: 'pending' | 'processing' | 'completed' | 'failed';
  decision: PayoutDecision;
  latest: LatestPayout | null;
  /** what is owed for the sale and not on its way */
  dueCents: number;
}

/** Where the payout of a released sale stands. */
export function payoutStanding({ payout, decision, latest, dueCents }: StandingFacts): PayoutStanding {
  if (payout === 'processing' && latest) return processing(latest);
  if (payout === 'completed') return latest && latest.amountCents > 0 ? paid(latest) : settled(latest);
  if (payout === 'failed') return failed(latest, dueCents);
  const due = { ...blank, amountCents: dueCents };
  if (decision.ok)
    return dueCents === 0
      ? settled(null)
      : { ...due, state: 'ready', title: 'Ready', text: 'It is paid with the next payouts.' };
  const until = decision.until?.toISOString() ?? null;
  return {
    ...due,
    state: 'held',
    title: 'Held',
    ...heldTexts[decision.refusal],
    at: until,
    atLabel: until === null ? null : 'Until',
  };
}

const blank = {
  at: null,
  atLabel: null,
  inSettings: false,
  amountCents: 0,
  nettedCents: 0,
  reference: null,
} as const;

function processing({ byHand, arrivesAt, ...latest }: LatestPayout): PayoutStanding {
  return {
    ...blank,
    ...amounts(latest),
    state: 'processing',
    title: 'On its way',
    text: byHand
      ? 'We are sending it by hand.'
      : 'It was sent, and your bank or payment provider is working on it.',
    at: arrivesAt?.toISOString() ?? null,
    atLabel: arrivesAt ? 'Expected' : null,
  };
}

function paid({ settledAt, arrivesAt, ...latest }: LatestPayout): PayoutStanding {
  return {
    ...blank,
    ...amounts(latest),
    state: 'paid',
    title: 'Paid',
    text: 'It was sent to you. Depending on your bank, it can take a few days to show.',
    at: (settledAt ?? arrivesAt)?.toISOString() ?? null,
    atLabel: settledAt || arrivesAt ? 'Paid' : null,
  };
}

const settled = (latest: LatestPayout | null): PayoutStanding => ({
  ...blank,
  state: 'settled',
  nettedCents: latest?.nettedCents ?? 0,
  title: 'Settled',
  text: latest?.nettedCents
    ? 'All of it was deducted for what you owed for earlier sales, so nothing is sent.'
    : 'Nothing of this sale is left to be paid out.',
});

function failed(latest: LatestPayout | null, dueCents: number): PayoutStanding {
  const failure = latest?.failure ?? null;
  const cameBack = (latest?.paidCents ?? 0) > 0;
  return {
    ...blank,
    ...(latest && amounts(latest)),
    amountCents: dueCents,
    state: cameBack ? 'returned' : 'failed',
    title: cameBack ? 'Came back' : 'Failed',
    text: `${payoutFailureForSeller(failure)} The money is still yours. ${
      failure !== null && SELLER_CAN_MEND.includes(failure)
        ? 'Please check your payment settings; it is then sent again.'
        : 'We look into it and send it again.'
    }`,
    inSettings: failure !== null && SELLER_CAN_MEND.includes(failure),
  };
}

const SELLER_CAN_MEND: readonly RecordedFailure[] = [
  'account_inactive',
  'destination_unknown',
  'unclaimed',
  'returned',
  'blocked',
];

const amounts = ({
  amountCents,
  nettedCents,
  reference,
}: Pick<LatestPayout, 'amountCents' | 'nettedCents' | 'reference'>) => ({
  amountCents,
  nettedCents,
  reference,
});

type Held = Pick<PayoutStanding, 'text' | 'inSettings'>;
const waits = (text: string): Held => ({ text, inSettings: false });
const mend = (text: string): Held => ({ text, inSettings: true });
const NEXT = waits('It is paid with the next payouts.');

/** Why a payout is held, as its seller is told, and whether the seller can do something about it. */
const heldTexts: Record<PayoutRefusal, Held> = {
  not_released: waits('It is paid once escrow is released.'),
  already_processing: NEXT,
  not_open: NEXT,
  amount_changed: NEXT,
  balance_short: NEXT,
  frozen: waits('The sale is under review. You do not need to do anything.'),
  disputed: waits("The buyer's bank disputes the payment, so the payout waits for its decision."),
  refund_running: waits('A refund to the buyer is on its way. What is left is paid to you afterwards.'),
  no_seller: waits('Your seller account is closed. Please contact the marketplace.'),
  suspended: waits('Your seller account is suspended. Payouts go on when the suspension ends.'),
  no_method: mend('Choose how you want to be paid.'),
  no_stripe_account: mend('Connect your Stripe account, or choose PayPal.'),
  account_inactive: mend('Stripe needs something from you before payouts can be sent.'),
  no_paypal_email: mend('Enter the email address of your PayPal account.'),
  paypal_unconfirmed: mend('Confirm your PayPal email with the link that we emailed to it.'),
  wrong_mode: waits('The sale was paid in test mode, so no money is sent for it.'),
  risk_hold: waits("Until then the buyer's payment can still be taken back."),
  cooling_down: waits('You changed where payouts go. For your safety, nothing is sent there before.'),
};
