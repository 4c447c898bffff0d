import type { Tone } from '#ui/badge.tsx';

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
