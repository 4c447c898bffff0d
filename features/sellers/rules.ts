import { anyone, hasRole } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';
import type { PayoutMethod } from './model.ts';

/** The seller's area is open to every seller, also to a suspended one, who may look and not touch (B-098). */
export const mayUseSellerArea = hasRole('agent');
/** Every write of a seller: role and record of a seller, and not suspended (B-098). */
export const mayActAsSeller = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.role === 'agent' && actor.agentId !== null && !actor.suspended;
/** Whoever has the link; what it opens is decided by its id and token (B-095). */
export const mayRegister = anyone;
/** Sellers are invited by administrators and by the command line. */
export const mayInvite = hasRole('admin');

export const SUSPENDED = {
  title: 'Your seller account is suspended',
  text: 'You can look at everything here and change nothing. Your listings are hidden, sales under way are continued by the administrators, and payouts are held.',
};

/** The fixed texts of registration, word for word (S0 §2, §8). */
export const registration = {
  verifying: 'Verifying seller information...',
  invalidTitle: 'Invalid Registration Link',
  invalid: 'The registration link is invalid or has expired.',
  unknown: 'The seller ID provided does not exist.',
  fault: 'There was an error verifying your seller account.',
  title: 'Complete Your Seller Registration',
  lead: 'Set up your account to access the seller portal',
  alreadyRegistered: { title: 'Already registered', text: 'Please sign in with your password.' },
  accountExists: {
    title: 'Account already exists',
    text: 'There is an account with this email address. Please sign in.',
  },
  failed: 'Registration failed',
  done: { title: 'Registration complete', text: 'Welcome to the seller portal.' },
} as const;

/** The fixed texts of the payment settings (S0 §2, §8; B-114, B-118). */
export const payoutTexts = {
  saved: 'Payment settings updated',
  failed: 'Failed to update payment settings.',
  connected: '✓ Connected',
  comingSoon: { title: 'Coming Soon', text: 'Stripe integration will be available soon.' },
  confirmed: { title: 'PayPal email confirmed' },
  confirmRefused: 'This confirmation link does not belong to the PayPal email that is saved here.',
  disconnected: {
    title: 'Stripe disconnected',
    text: 'Payouts are not set until you choose a method again.',
  },
  processing: 'A payout is being processed. You can disconnect Stripe when it is done.',
} as const;

export const payoutMethodNames: Record<PayoutMethod, string> = { stripe: 'Stripe Connect', paypal: 'PayPal' };

/** How long payouts to a new destination wait (B-116). */
export const PAYOUT_HOLD_MS = 72 * 3_600_000;

interface Destination {
  method: PayoutMethod | null;
  stripeTransfersActive: boolean;
  paypalConfirmed: boolean;
}

/** 'complete' once the chosen method is verified, 'pending' else (B-099). */
export const payoutReadiness = (of: Destination): 'complete' | 'pending' =>
  (of.method === 'stripe' && of.stripeTransfersActive) || (of.method === 'paypal' && of.paypalConfirmed)
    ? 'complete'
    : 'pending';

/** 'd•••@example.com': enough to recognise one's own address, too little to learn another's. */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}•••@${domain}`;
}
