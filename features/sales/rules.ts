import type { PaymentMethod } from '#gateways/payments/port.ts';
import { hasRole, nobody, signedIn } from '#platform/access.ts';
import type { Config } from '#platform/config.ts';
import type { UserActor } from '#platform/context.ts';
import type {
  EscrowStatus,
  Party,
  PaymentStatus,
  PayoutStatus,
  SaleState,
  TransitionRefusal,
} from './model.ts';

/** A sale is visible to its buyer, its seller and administrators; for all others it does not exist (R8). */
export const maySeeSales = signedIn;
export const mayActOnSales = signedIn;

interface Parties {
  buyerId: string;
  agentId: string;
}

/** Follows from what the scanner says about documents. */
export const mayTakeBackDelivery = nobody;
export const mayRestartRelease = nobody;
/** For timers only. */
export const mayWatchDeadlines = nobody;
/** A whole record is for what the system does by itself. */
export const maySeeRecords = nobody;

/** Whether a payment in this mode moves no real money although the server runs in production, and not as a demo. */
export const isTestMode = (
  config: Pick<Config, 'sandboxPayments'>,
  { livemode }: { livemode: boolean },
): boolean => !livemode && !config.sandboxPayments;

/** The role of a user in a sale; null for everybody who has no part in it. */
export function partyOf(user: UserActor, sale: Parties): Party | null {
  if (user.id === sale.buyerId) return 'buyer';
  if (user.role === 'agent' && user.agentId === sale.agentId) return 'seller';
  return user.role === 'admin' ? 'admin' : null;
}

/** The intent of the form that adds documents to a sale. */
export const ADD_DOCUMENTS = 'add_documents';

/** Documents can be added while the money is in escrow: before that there is no sale yet, afterwards it is over. */
export const canAddDocuments = ({ payment, escrow }: SaleState): boolean =>
  payment === 'completed' && escrow === 'in_escrow';

/** How a buyer paid, in words; until the payment a card and a bank account are the same choice. */
export const paidByLabels = {
  bank: 'Bank transfer',
  card: 'Card',
  card_or_bank: 'Card or bank transfer',
  crypto: 'Crypto',
} as const;

export const paymentMethodNames: Record<PaymentMethod, string> = {
  card: paidByLabels.card_or_bank,
  crypto: paidByLabels.crypto,
};

export const PURCHASE_CANCELLED = { title: 'Purchase cancelled', text: 'Nothing was charged.' };
/** The same when a part of the payment had arrived. */
export const PURCHASE_RETURNED = {
  title: 'Purchase cancelled',
  text: 'Everything you have paid is refunded to you.',
};
export const NO_RECEIPT_YET = 'Receipt available after payment';
/** Longest problem report, in characters. */
export const NOTE_MAX_LENGTH = 2000;

/** Shown when escrow is to be released and the provider gives no answer. */
export const NOT_RELEASED =
  'The payment provider is not responding, so the money stays in escrow. Please try again.';

export const transitionRefusalMessages: Record<TransitionRefusal, string> = {
  not_now: 'This is no longer possible. The page shows the current status.',
  not_yours: 'Only the other side can do this.',
  frozen: 'This sale is frozen until an open question is settled.',
  not_frozen: 'This sale is not frozen.',
  disputed: 'The payment is disputed. Nothing can be sent back until that is decided.',
  cancellation_asked: 'A cancellation has been requested. Settle that first.',
  no_cancellation_asked: 'No one has requested a cancellation.',
  asked_by_yourself: 'You requested this cancellation yourself. The other side has to answer it.',
  already_asked: 'A cancellation has already been requested.',
  already_delivered: 'The documents are already marked as delivered.',
  not_due: 'It is too early for this.',
  refund_running: 'A refund is on its way.',
  no_refund_running: 'No refund is on its way.',
  problem_open: 'A problem has been reported. It has to be settled first.',
  no_problem_open: 'No problem is open.',
  no_documents: 'Please choose at least one file.',
  reported_by_other:
    'The other side reported this problem. They can withdraw it, or an administrator settles it.',
};

export const paymentTone: Record<PaymentStatus, 'ok' | 'warn' | 'info' | 'bad' | 'mute'> = {
  completed: 'ok',
  pending: 'warn',
  processing: 'info',
  failed: 'bad',
  refunded: 'mute',
};

export const paymentLabel: Record<PaymentStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  completed: 'Completed',
  failed: 'Failed',
  refunded: 'Refunded',
};

export const escrowTone: Record<EscrowStatus, 'ok' | 'warn' | 'info' | 'bad'> = {
  completed: 'ok',
  pending: 'warn',
  in_escrow: 'info',
  cancelled: 'bad',
};

export const escrowLabel: Record<EscrowStatus, string> = {
  pending: 'Pending',
  in_escrow: 'In Escrow',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

/** The public block explorer's page of a transaction; Base mainnet unless it happened on the test network. */
export const transactionUrl = (network: string | null, txHash: string): string =>
  `https://${network === 'base-sepolia' ? 'sepolia.basescan.org' : 'basescan.org'}/tx/${encodeURIComponent(txHash)}`;

/** Also for suspended sellers, who may still look at everything. */
export const maySeeSellerSales = hasRole('agent');
/** The sales of any seller. */
export const maySeeSalesOfSellers = hasRole('admin');

/** The payout status of a sale as its seller sees it; while nothing is payable yet, what it is waiting for, in grey. */
export function payoutStatusBadge({ payment, escrow, payout }: SaleState): {
  label: string;
  tone: PayoutTone;
} {
  if (payment === 'refunded') return { label: 'Refunded', tone: 'mute' };
  if (payout) return payoutBadges[payout];
  if (payment === 'failed' || escrow === 'cancelled') return { label: 'Cancelled', tone: 'mute' };
  if (escrow === 'in_escrow') return { label: 'In Escrow', tone: 'mute' };
  return { label: payment === 'processing' ? 'Payment processing' : 'Awaiting payment', tone: 'mute' };
}

type PayoutTone = 'ok' | 'warn' | 'info' | 'bad' | 'mute';
const payoutBadges: Record<PayoutStatus, { label: string; tone: PayoutTone }> = {
  pending: { label: 'Pending', tone: 'warn' },
  processing: { label: 'Processing', tone: 'info' },
  completed: { label: 'Completed', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
};

/** 'ATP-000042'. */
export const receiptNumber = (value: number): string => `ATP-${String(value).padStart(6, '0')}`;

/** Shown when an action could not be sent; what was typed is kept. */
export const ACTION_NOT_SENT = { title: 'Error', text: 'This could not be sent. Please try again.' };
