import type { PayoutDecision } from '#features/payouts/payout-hold.ts';
import type { Tone } from '#ui/badge.tsx';

type Hold = Extract<PayoutDecision, { ok: false }>['reason'];

const holds: Partial<Record<Hold, string>> = {
  not_released: 'The escrow has not been released.',
  not_open: 'The payout is under way, or complete.',
  frozen: 'The sale is frozen.',
  disputed: 'The payment is disputed, or was taken back.',
  suspended: 'The seller is suspended.',
  risk_hold: 'The payment can still be disputed or returned.',
};

/** Why a seller is not paid now. */
export const payoutHoldText = (reason: Hold): string => holds[reason] ?? 'The payout has to wait.';

export const payoutMethodLabels: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  manual: 'bank transfer',
};

const words: Readonly<Record<string, { label: string; tone: Tone }>> = {
  processing: { label: 'Processing', tone: 'info' },
  completed: { label: 'Completed', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** The status of one attempt to pay. */
export const statusWord = (status: string): { label: string; tone: Tone } =>
  words[status] ?? {
    label: status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' '),
    tone: 'mute',
  };
