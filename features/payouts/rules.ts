import type { PayoutsPort } from '#gateways/payouts/port.ts';
import { hasRole, nobody } from '#platform/access.ts';
import type { Config } from '#platform/config.ts';
import { HOUR } from '#platform/durations.ts';
import type { PayoutMethod } from './model.ts';

/** Only administrators, and the jobs that pay, are told why a seller is not paid. */
export const mayDecidePayouts = hasRole('admin');
/** Administrators, who have proved who they are, and the schedule. */
export const mayStartPayouts = hasRole('admin');
/** Asking a provider moves no money. */
export const maySyncPayouts = hasRole('admin');
/** What follows from the provider's answers is for jobs. */
export const mayCarryOutPayouts = nobody;

/**
 * Whether a sale may be paid out through a provider: live money by live keys, test money by test keys. Without a provider it is
 * paid by hand, for which test money is no money, unless nothing here is.
 */
export const isRightMode = (
  config: Pick<Config, 'sandboxPayments'>,
  livemode: boolean,
  port: Pick<PayoutsPort, 'livemode'> | null,
): boolean => (port ? port.livemode === livemode : livemode || config.sandboxPayments);

/** Sellers' accounts are followed by jobs and messages. */
export const maySyncAccounts = nobody;

/** The user-facing messages of the payment settings. */
export const payoutMessages = {
  saved: 'Payment settings updated',
  failed: 'Failed to update payment settings.',
  newer: 'This record was changed by someone else',
  connected: '✓ Connected',
  actionRequired: 'Action required',
  comingSoon: { title: 'Coming Soon', text: 'Stripe integration will be available soon.' },
  stripeNotAvailable: 'Stripe payouts are not available yet. Choose PayPal.',
  stripeNotConnected: 'Connect your Stripe account first.',
  stripeOutdated: 'Disconnect your Stripe account and connect it again first.',
  connectedToast: { title: 'Stripe connected', text: 'Payouts can be sent to your Stripe account.' },
  unfinishedToast: {
    title: 'Action required',
    text: 'Stripe needs more from you before payouts can be sent. Your payment settings say what.',
  },
  returnUnread: 'Stripe did not answer. Your payment settings follow as soon as it does.',
  noProviderPage: 'Finish the setup at Stripe first.',
  confirmed: { title: 'PayPal email confirmed' },
  confirmRefused: 'This confirmation link does not belong to the PayPal email that is saved here.',
  disconnected: {
    title: 'Stripe disconnected',
    text: 'Payouts stop until you choose a method again.',
  },
  processing: 'A payout is being processed. You can disconnect Stripe when it is done.',
} as const;

export const payoutMethodNames: Record<PayoutMethod, string> = { stripe: 'Stripe Connect', paypal: 'PayPal' };
/** How long payouts to a new destination are held, in milliseconds. */
export const PAYOUT_HOLD_MS = 72 * HOUR;
interface Destination {
  method: PayoutMethod | null;
  stripeTransfersActive: boolean;
  paypalConfirmed: boolean;
}

/** 'complete' once the chosen method is verified, otherwise 'pending'. */
export const payoutReadiness = (of: Destination): 'complete' | 'pending' =>
  (of.method === 'stripe' && of.stripeTransfersActive) || (of.method === 'paypal' && of.paypalConfirmed)
    ? 'complete'
    : 'pending';

/** 'd•••@example.com': enough to recognize one's own address, too little to reveal someone else's. */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}•••@${domain}`;
}
