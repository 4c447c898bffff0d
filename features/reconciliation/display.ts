import type { Tone } from '#ui/badge.tsx';
import type { BreakAction } from './break-actions.ts';
import type { BreakKind, BreakRefusal, BreakResolution } from './model.ts';
import type { ExpenseAccount, PostableAccount } from './rules.ts';
import type { BreakLine, RunLine } from './views.ts';

export const stateBadges: Record<BreakLine['state'], { tone: Tone; label: string }> = {
  open: { tone: 'bad', label: 'Open' },
  awaiting_approval: { tone: 'warn', label: 'Awaiting approval' },
  resolved: { tone: 'ok', label: 'Resolved' },
};

export const runBadges: Record<RunLine['state'], { tone: Tone; label: string }> = {
  running: { tone: 'info', label: 'Running' },
  finished: { tone: 'ok', label: 'Finished' },
  failed: { tone: 'bad', label: 'Failed' },
};

export const resolutionLabels: Record<BreakResolution, string> = {
  accepted: 'The payment was accepted',
  returned: 'The payment was returned',
  dismissed: 'The payment was dismissed',
  recognised: 'The refund was recognized',
  matched: 'Both sides agreed in the end',
  linked: 'It was assigned',
  posted: 'It was posted',
  refunded: 'It was refunded',
  written_off: 'It was written off',
  acknowledged: 'It was acknowledged',
  treasury: 'Our own money was moved',
};

/** What an administrator reads when a decision was not carried out. */
export const breakRefusals: Record<BreakRefusal, string> = {
  resolved: 'This difference has been resolved meanwhile.',
  awaiting_approval: 'It waits for another administrator.',
  refund_running: 'A refund of it is on its way.',
  elsewhere: 'It is resolved by a decision about its sale.',
  no_reason: 'Please give a reason.',
  nothing_fits: 'The two sides do not agree to the cent. Nothing was changed.',
  wrong_account: 'It cannot be posted to this account.',
  nothing_in_suspense: 'There is not that much in suspense.',
  not_refundable: 'This payment cannot be sent back on its own.',
  not_awaiting: 'Nothing waits for a decision.',
  same_administrator: 'Another administrator than the one who asked has to approve it.',
  amount_changed: 'The amount has changed since it was asked for. It is open again.',
  amounts_differ: 'The two sides have different amounts.',
  no_transaction: 'Please choose a transaction that is still open.',
  not_acknowledged: 'It cannot be resolved this way.',
  held_in_suspense: 'Money of this sale is still in suspense. Please return it to the buyer first.',
};

export const accountLabels: Record<PostableAccount, string> = {
  suspense: 'Suspense (not assigned yet)',
  processing_cost: 'Processing costs',
  dispute_fees: 'Dispute fees',
  chargeback_loss: 'Chargeback losses',
  bank: 'Our bank account',
};

/** What an administrator asked another one to approve. */
export function askedWords(amount: string, account: ExpenseAccount | null, kind: BreakKind): string {
  if (kind === 'payment_mismatch') return `asked to accept a payment that is ${amount} short`;
  if (account === null) return `asked to acknowledge ${amount}`;
  if (account === 'write_offs') return `asked to write off ${amount}`;
  return `asked to post ${amount} to ${accountLabels[account].toLowerCase()}`;
}

/** The buttons and dialogs of the decisions. */
export const actionTexts: Record<
  BreakAction,
  { label: string; text: string; done: string; danger?: boolean }
> = {
  link: {
    label: 'Assign',
    text: 'Say what this is about. Both sides must agree to the cent; nothing is posted.',
    done: 'Difference assigned',
  },
  post: {
    label: 'Post',
    text: 'What the books miss is posted against the account you choose. A fee in it goes to the costs. As a cost or loss, the difference is given up.',
    done: 'Difference posted',
  },
  refund: {
    label: 'Refund',
    text: 'The whole payment is sent back to the payer. The difference is resolved when the provider has booked the refund.',
    done: 'Refund on its way',
  },
  treasury: {
    label: 'Own transfer',
    text: 'Our own money was moved between two accounts. If the other side has not arrived yet, record this side now and the other one later.',
    done: 'Transfer recorded',
  },
  write_off: {
    label: 'Write off',
    text: 'The difference is given up.',
    done: 'Difference written off',
    danger: true,
  },
  return: {
    label: 'Return to buyer',
    text: 'The money that was never assigned to this sale is refunded to the buyer. The difference can be acknowledged when it has left.',
    done: 'Refund on its way',
  },
  acknowledge: {
    label: 'Acknowledge',
    text: 'It is in the books, and nothing is posted.',
    done: 'Difference acknowledged',
  },
  approve: {
    label: 'Approve',
    text: 'The difference is resolved as requested. This cannot be undone.',
    done: 'Request approved',
    danger: true,
  },
  decline: {
    label: 'Decline',
    text: 'The difference is open again.',
    done: 'Request declined',
  },
};

const providerNames: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  coinbase: 'Coinbase',
  paypal: 'PayPal',
  'sandbox-card': 'Sandbox, cards and banks',
  'sandbox-crypto': 'Sandbox, crypto',
  'sandbox-paypal': 'Sandbox, PayPal',
};

/** A provider account as administrators know it. */
export function accountName({
  provider,
  livemode,
}: {
  provider: string | null;
  livemode: boolean | null;
}): string {
  if (provider === null) return 'No account';
  const name = providerNames[provider] ?? provider;
  return livemode || provider.startsWith('sandbox') ? name : `${name} (test)`;
}
