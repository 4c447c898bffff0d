import { z } from 'zod';
import { emailAddress } from '#features/accounts/model.ts';

export const payoutMethods = ['stripe', 'paypal'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];
/** How a seller wants to be paid: PayPal needs an address. */
export const payoutSchema = z.discriminatedUnion(
  'method',
  [
    z.object({ method: z.literal('stripe') }),
    z.object({
      method: z.literal('paypal'),
      paypalEmail: z
        .string('PayPal email is required')
        .trim()
        .min(1, 'PayPal email is required')
        .pipe(emailAddress('Invalid email address')),
    }),
  ],
  'Please choose how you want to be paid.',
);

/** What the seller chooses: of the payout settings, what can be typed. */
export type PayoutChoice = Pick<PayoutSettings, 'method' | 'paypalEmail'>;

/** How a seller is paid. Times are ISO 8601, UTC. */
export interface PayoutSettings {
  method: PayoutMethod | null;
  paypalEmail: string | null;
  paypalConfirmed: boolean;
  /** null if no account is connected; `requirement` says why it cannot receive payouts yet */
  stripe: { account: string; active: boolean; requirement: string | null } | null;
  /** until when payouts are held after a change; null if they are not */
  holdUntil: string | null;
  ready: boolean;
  /** a Stripe account can be connected: the marketplace has Connect configured */
  canConnect: boolean;
  /** PayPal payouts are made by hand, because PayPal is not configured */
  paypalByHand: boolean;
}

/**
 * Why a sale's payout cannot be started: the first that holds, what time does not settle before what it does.
 * `balance_short`: the provider's balance does not cover it now; `wrong_mode`: the sale is of the other mode, test or live.
 */
export const payoutRefusals = [
  'not_released',
  'already_processing',
  'not_open',
  'frozen',
  'disputed',
  'refund_running',
  'amount_changed',
  'no_seller',
  'suspended',
  'no_method',
  'no_stripe_account',
  'account_inactive',
  'no_paypal_email',
  'paypal_unconfirmed',
  'wrong_mode',
  'risk_hold',
  'cooling_down',
  'balance_short',
] as const;
export type PayoutRefusal = (typeof payoutRefusals)[number];

/** `until`: when it will be possible, for refusals that time settles. */
export interface PayoutRefused {
  ok: false;
  refusal: PayoutRefusal;
  until?: Date;
}

/** `completed`: there was nothing to send, or it was settled with what the seller owed. Cents. */
export type StartPayoutResult =
  | { ok: true; payoutId: string; amountCents: number; status: 'processing' | 'completed' }
  | PayoutRefused;

export type PayoutRowStatus = 'processing' | 'completed' | 'failed';

/** A payout, which is one attempt to pay the seller of a sale, as its provider answered last. Cents. */
export interface PayoutAttempt {
  id: string;
  saleId: string;
  attempt: number;
  status: PayoutRowStatus;
  amountCents: number;
  /** set off against what the seller owed */
  nettedCents: number;
  /** arrived and stayed */
  paidCents: number;
  feeCents: number;
  /** why nothing, or not everything, arrived, in words for administrators */
  failure: string | null;
  /** ISO, UTC; null when the provider does not say */
  arrivesAt: string | null;
}

/** Why a payout by hand cannot be recorded or confirmed; `changed`: since it was looked at; `second_look`: by whoever recorded it. */
const manualPayoutRefusals = [
  'not_processing',
  'changed',
  'no_reference',
  'no_reason',
  'second_look',
] as const;
export type ManualPayoutRefusal = (typeof manualPayoutRefusals)[number];
