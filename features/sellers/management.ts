import { cutText } from '#platform/cut-text.ts';
import type { Tone } from '#ui/badge.tsx';

// What administrators see of sellers, and the words of their pages. Not in model.ts, which public pages load.

export type SellerStatus = 'active' | 'pending' | 'suspended';
/** What became of the mail with the newest invitation. */
export type InvitationState = 'queued' | 'sent' | 'bounced';

/** A seller as administrators see them. Integer cents; percent 0–100; times are ISO, UTC. */
export interface ManagedSeller {
  id: string;
  /** of the account; null before the registration */
  userId: string | null;
  name: string;
  email: string;
  /** E.164 */
  phone: string | null;
  /** the seller's share; null for the default */
  commissionRate: number | null;
  status: SellerStatus;
  /** why the seller was suspended */
  statusReason: string | null;
  registered: boolean;
  /** the account's address is confirmed; until then an invitation confirms it */
  emailVerified: boolean;
  archivedAt: string | null;
  /** of the registration, before it of the first invitation */
  since: string;
  /** null for a registered seller, and where no mail was written */
  invitation: InvitationState | null;
  payoutReady: boolean;
  payment: SellerPayment;
  /** those that were not deleted */
  listings: number;
  /** of an archived seller: those that a job has still to withdraw */
  withdrawing: number;
  /** closed sales, and their prices together */
  sales: { count: number; cents: number };
}

/** How a seller is paid, as far as it is stored. */
interface SellerPayment {
  method: 'stripe' | 'paypal' | null;
  /** the last characters of the account's id */
  stripe: { account: string; active: boolean; requirement: string | null } | null;
  paypal: { email: string; confirmed: boolean } | null;
  /** until when payouts wait after a change */
  holdUntil: string | null;
}

/**
 * What deleting a seller does: one who never had a listing is deleted, any other archived; refused while a sale or payout is
 * under way.
 */
export type SellerRemoval =
  | { way: 'delete' }
  | { way: 'archive'; listings: number; toWithdraw: number; sales: number }
  | { way: 'refused'; open: number };

export const statusLabels: Record<SellerStatus, string> = {
  active: 'Active',
  pending: 'Pending',
  suspended: 'Suspended',
};
export const statusTones: Record<SellerStatus, Tone> = { active: 'ok', pending: 'warn', suspended: 'bad' };
export const invitationTones: Record<InvitationState, Tone> = {
  queued: 'info',
  sent: 'mute',
  bounced: 'bad',
};
export const paymentMethodLabels = { stripe: 'Stripe', paypal: 'PayPal' } as const;

export const NOT_SET = 'Not set';

/** The columns that the list can be sorted by; a seller without a rate of their own by the default. */
export const sellerSorts = ['name', 'email', 'phone', 'rate', 'status'] as const;
export type SellerSort = (typeof sellerSorts)[number];

/** How a list can be narrowed; everything but `archived` leaves out archived sellers. */
export const sellerFilters = ['active', 'pending', 'suspended', 'archived'] as const;
export type SellerFilter = (typeof sellerFilters)[number];

/** What an administrator does to a seller in a dialog. */
export const sellerActions = ['add', 'suspend', 'reactivate', 'delete', 'phone', 'rate'] as const;
export type SellerAction = (typeof sellerActions)[number];

export const CHANGED_BY_OTHER = 'This record was changed by someone else';

/** Longest name in a sentence, in characters. */
const NAME_MAX_LENGTH = 80;
/** A seller's name for a title or a sentence. */
export const clippedName = (name: string): string =>
  name.length > NAME_MAX_LENGTH ? `${cutText(name, NAME_MAX_LENGTH - 1)}…` : name;

export const managementMessages = {
  notFound: 'No Sellers Found',
  notFoundHint: 'Click Add Seller to invite the first one.',
  noMatch: 'No sellers match your search.',
  failed: 'Failed to load sellers. Please try again later.',
  failedDetail: 'Error fetching sellers',
  salesFailed: 'Error fetching transactions',
  noSales: 'No transactions found',
  added: { title: 'Seller Added', text: 'An invitation email has been sent.' },
  duplicate: { title: 'Duplicate Email', text: 'A seller with this email address already exists' },
  addressTaken: 'There is a buyer or administrator with this email address',
  addFailed: (message: string) => `Failed to add seller: ${message}`,
  resent: {
    title: 'Invitation Resent',
    text: 'A new invitation email has been sent. The earlier link no longer works.',
  },
  resetSent: {
    title: 'Password Reset Link Sent',
    text: 'The seller can set a new password with the link in the email.',
  },
  resendFailed: (message: string) => `Failed to resend invitation email: ${message}`,
  rateUpdated: 'Commission Rate Updated',
  rateUpdatedInList: 'Seller commission rate updated successfully',
  rateFailed: 'Failed to update commission rate',
  rateFailedInList: 'Failed to update seller commission rate',
  phoneUpdated: 'Seller phone number updated successfully',
  phoneFailed: 'Failed to update seller phone number',
  suspended: 'Seller suspended successfully',
  reactivated: 'Seller reactivated successfully',
  statusFailed: 'Failed to update seller status',
  deleted: 'Seller deleted successfully',
  withdrawing:
    'Nothing of theirs can be bought anymore. Their listings are being withdrawn in the background.',
  deleteFailed: 'Failed to delete seller',
  reasonMissing: 'Please enter a reason',
  alreadySuspended: 'This seller is already suspended',
  notSuspended: 'This seller is not suspended',
  saleOpen: 'A sale or payout of this seller is still in progress',
  gone: 'This seller no longer exists',
  unexpected: 'An unexpected error occurred. Please try again.',
} as const;
