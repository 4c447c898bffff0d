import { createHmac } from 'node:crypto';
import type { SandboxAccount } from '../../payments/sandbox/rules.ts';
import type { PayoutMethod } from '../port.ts';

/** The most that one transfer carries at Stripe, and one item at PayPal. */
export const MAX_PART_CENTS: Readonly<Record<PayoutMethod, number>> = {
  stripe: 99_999_999,
  paypal: 2_000_000,
};

/** What PayPal charges for each item. */
export const ITEM_FEE_CENTS: Readonly<Record<PayoutMethod, number>> = { stripe: 0, paypal: 25 };

/** How long an item at PayPal is processed. */
export const SETTLE_AFTER_MS = 5_000;

/** An unclaimed item is returned after this many days. */
export const UNCLAIMED_DAYS = 30;

/** How long a key is known: Stripe's idempotency keys a day, PayPal's batch ids 30 days. */
export const KEY_DAYS: Readonly<Record<PayoutMethod, number>> = { stripe: 1, paypal: 30 };

/** How long an onboarding link is valid. */
export const LINK_MINUTES = 5;

/** The balance that pays: Stripe's is the one of card payments, PayPal has one of its own. */
const balanceMethod = (method: PayoutMethod): SandboxAccount['method'] =>
  method === 'stripe' ? 'card' : 'paypal';

/** Whose messages these are, as deliveries store it. */
export const senderOf = (method: PayoutMethod): 'connect' | 'paypal' =>
  method === 'stripe' ? 'connect' : 'paypal';

/** The account that every sandbox has unless told otherwise. */
export const defaultPayoutAccount = (method: PayoutMethod): SandboxAccount => ({
  method: balanceMethod(method),
  account: 'sandbox',
  livemode: false,
});

/** The webhook secret, derived from the application secret. */
export function payoutWebhookSecret(appSecret: string, sender: 'connect' | 'paypal'): string {
  return `whsec_${createHmac('sha256', appSecret).update(`sandbox webhooks ${sender}`).digest('hex')}`;
}

/** The path of the onboarding page. */
export const onboardingPath = (token: string): string => `/sandbox/onboarding/${token}`;
