import { createHmac } from 'node:crypto';
import { DAY, MINUTE } from '#platform/durations.ts';
import type { PaidWith, PaymentMethod, PaymentMethodLimits } from '../port.ts';

/** One account with the sandbox: what belongs to another one is unknown to it. The account at PayPal pays sellers only. */
export interface SandboxAccount<Method = PaymentMethod | 'paypal'> {
  method: Method;
  account: string;
  livemode: boolean;
}

/** The account that every sandbox has unless told otherwise. */
export const defaultAccount = (method: PaymentMethod): SandboxAccount<PaymentMethod> => ({
  method,
  account: 'sandbox',
  livemode: false,
});

/** The limits of Stripe and Coinbase, so that nothing works here that would fail there. */
export const SANDBOX_LIMITS: Readonly<Record<PaymentMethod, PaymentMethodLimits>> = {
  card: { minCents: 50, maxCents: 99_999_999, minLifetimeMs: 30 * MINUTE, maxLifetimeMs: DAY },
  crypto: { minCents: 1, maxCents: 10_000_000_000, minLifetimeMs: MINUTE, maxLifetimeMs: DAY },
};

/** The limits of payments in parts: Stripe's for each transfer, and enough for every property. */
export const TRANSFER_LIMITS: PaymentMethodLimits = {
  minCents: 50,
  maxCents: 9_999_999_900,
  minLifetimeMs: 30 * MINUTE,
  maxLifetimeMs: 30 * DAY,
  trancheCents: 99_999_999,
};

export type { PaidWith as PaidBy };

/**
 * The provider's fee in cents, halves rounded up: 2.9 % plus 30 cents for a card payment, 0.8 % but at most $5.00 for a
 * bank debit, 0.5 % but at most $5.00 for each transfer of a payment in parts, 1.25 % for crypto.
 */
export function feeOf(paidBy: PaidWith, amountCents: number): number {
  if (paidBy === 'card') return basisPoints(amountCents, 290) + 30;
  if (paidBy === 'bank') return Math.min(basisPoints(amountCents, 80), 500);
  if (paidBy === 'transfer') return Math.min(basisPoints(amountCents, 50), 500);
  return basisPoints(amountCents, 125);
}

const basisPoints = (cents: number, share: number) => Math.floor((cents * share + 5_000) / 10_000);

/** How many days after a payment it can be disputed; never for crypto, nor for what the payer's bank was told to send. */
export function disputeDays(paidBy: PaidWith): number {
  return { card: 120, bank: 60, chain: 0, transfer: 0 }[paidBy];
}

/** A refund stays pending this long, instead of the days that a bank takes. */
export const REFUND_AFTER_MS = 5_000;

/** What Stripe charges for a chargeback, whoever wins, and for contesting one, which the winner gets back. */
export const DISPUTE_FEE_CENTS = 1_500;
export const RESPONSE_FEE_CENTS = 1_500;

/** The evidence deadline of a card dispute. */
export const evidenceDue = (disputedAt: Date): Date => new Date(disputedAt.getTime() + 9 * DAY);

/** The webhook secret of a payment method, derived from the application secret. */
export function sandboxWebhookSecret(appSecret: string, method: PaymentMethod): string {
  return `whsec_${createHmac('sha256', appSecret).update(`sandbox webhooks ${method}`).digest('hex')}`;
}

/** The path of the checkout page. */
export const checkoutPath = (ref: string): string => `/sandbox/checkout/${ref}`;

/** The network that Coinbase's own sandbox uses. */
export const NETWORK = 'base-sepolia';
