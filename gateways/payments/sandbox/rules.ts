import { createHmac } from 'node:crypto';
import type { Rail, RailLimits } from '../port.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What Stripe and Coinbase allow, so that nothing works here that would fail there (B-072, B-081). */
export const SANDBOX_LIMITS: Readonly<Record<Rail, RailLimits>> = {
  card: { minCents: 50, maxCents: 99_999_999, shortestMs: 30 * MINUTE, longestMs: DAY },
  crypto: { minCents: 1, maxCents: 10_000_000_000, shortestMs: MINUTE, longestMs: DAY },
};

/** How the money of a paid checkout came. */
export type PaidBy = 'card' | 'bank' | 'chain';

/**
 * What the provider keeps of a payment, in cents, halves rounded up: 2.9 % and 30 cents of a card payment, 0.8 % but at
 * most $5.00 of a bank transfer, 1.25 % of a transfer on the chain.
 */
export function feeOf(paidBy: PaidBy, amountCents: number): number {
  if (paidBy === 'card') return perMyriad(amountCents, 290) + 30;
  if (paidBy === 'bank') return Math.min(perMyriad(amountCents, 80), 500);
  return perMyriad(amountCents, 125);
}

const perMyriad = (cents: number, share: number) => Math.floor((cents * share + 5_000) / 10_000);

/** How long after a payment the payer's bank may take it back; never on a chain. */
export function disputeDays(paidBy: PaidBy): number {
  return { card: 120, bank: 60, chain: 0 }[paidBy];
}

/** Until when a card dispute takes evidence. */
export const evidenceDue = (disputedAt: Date): Date => new Date(disputedAt.getTime() + 9 * DAY);

/** The secret that signs one rail's messages, made from the application's own. */
export function sandboxSecret(appSecret: string, rail: Rail): string {
  return `whsec_${createHmac('sha256', appSecret).update(`sandbox webhooks ${rail}`).digest('hex')}`;
}

/** Where people open a checkout, below the application's origin. */
export const checkoutPath = (ref: string): string => `/sandbox/checkout/${ref}`;

/** Coinbase's own sandbox pays there, and so does this one. */
export const NETWORK = 'base-sepolia';
