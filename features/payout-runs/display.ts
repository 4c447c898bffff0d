import type { Tone } from '#ui/badge.tsx';
import type { NotYetPayable, Obstacle, RunMethod } from './model.ts';

/** How a payout is made, in lists and ledgers. */
export const methodLabels: Record<RunMethod | 'none', string> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  manual: 'By hand',
  none: 'Nothing to send',
};

/** Beside the method of a seller who has something to do before being paid. */
export const obstacleLabels: Record<Obstacle, string> = {
  no_method: 'Not set',
  no_stripe_account: 'Not connected',
  account_inactive: 'Not ready',
  no_paypal_email: 'No email',
  paypal_unconfirmed: 'Not confirmed',
};

/** Why a sale is not payable yet, as a badge. */
export const notYetBadges: Record<NotYetPayable['reason'], { label: string; tone: Tone }> = {
  in_escrow: { label: 'In Escrow', tone: 'mute' },
  not_released: { label: 'Not released', tone: 'mute' },
  frozen: { label: 'Frozen', tone: 'bad' },
  disputed: { label: 'Disputed', tone: 'bad' },
  refund_running: { label: 'Refund under way', tone: 'warn' },
  suspended: { label: 'Seller suspended', tone: 'bad' },
  risk_hold: { label: 'Payment can be taken back', tone: 'warn' },
  cooling_down: { label: 'Payout settings changed', tone: 'warn' },
};
