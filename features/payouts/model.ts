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
