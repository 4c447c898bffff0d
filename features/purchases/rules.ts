import type { PropertyStatus } from '#features/listings/model.ts';
import type { Rail, RailLimits } from '#gateways/payments/port.ts';
import { anyone, hasRole, nobody, signedIn } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';
import type {
  CheckoutResult,
  EscrowStatus,
  MoveRefusal,
  Party,
  PaymentStatus,
  PayoutStatus,
  PurchaseRefusal,
  SaleState,
} from './model.ts';

/** Anyone signed in may ask to buy; about what, `purchaseRefusal` decides. */
export const mayPurchase = signedIn;
/** A sale is open to its buyer, its seller and administrators; to all others there is none (R8). */
export const maySeeSales = signedIn;
export const mayMoveSales = signedIn;
export const mayDiagnose = signedIn;
/** What the panel shows to everybody: whether the property is held, and until when. */
export const maySeePanel = anyone;
/** Providers, timers and the operator. */
export const mayReconcile = nobody;
/** The provider signs its messages; who sends them is nobody of ours. */
export const mayReceiveMessages = anyone;
export const mayConfigurePayments = hasRole('admin');

interface Parties {
  buyerId: string;
  agentId: string;
}

/** As what an actor takes part in a sale; null for all whom it does not concern. */
export function partyOf(actor: Actor, sale: Parties): Party | null {
  if (actor.kind === 'system') return 'system';
  if (actor.kind === 'visitor') return null;
  if (actor.id === sale.buyerId) return 'buyer';
  if (actor.role === 'agent' && actor.agentId === sale.agentId) return 'seller';
  return actor.role === 'admin' ? 'admin' : null;
}

interface Wanted {
  status: PropertyStatus;
  seller: { id: string; suspended: boolean };
}

/** Why this person cannot buy this listing, or null; holds and prices are asked of the database (B-083, B-084). */
export function purchaseRefusal(actor: Actor, listing: Wanted): PurchaseRefusal | null {
  if (actor.kind !== 'user') return 'signed_out';
  if (actor.agentId !== null && actor.agentId === listing.seller.id) return 'own';
  if (actor.role !== 'buyer') return 'not_a_buyer';
  if (!actor.emailVerified) return 'unverified';
  return listingRefusal(listing);
}

/** Why nobody can buy this listing now, or null. */
export function listingRefusal({ status, seller }: Wanted): PurchaseRefusal | null {
  if (status === 'escrow') return 'in_escrow';
  if (status === 'Sold') return 'sold';
  if (status !== 'Active') return 'unavailable';
  return seller.suspended ? 'suspended' : null;
}

/** Why a refusal cannot be answered by trying the same again; what stands behind 'Payment processing error: '. */
export const refusalText: Record<PurchaseRefusal, string> = {
  signed_out: 'Authentication required',
  not_a_buyer: 'only buyer accounts can purchase',
  own: 'this is your own listing',
  unverified: 'please confirm your e-mail address first',
  suspended: "this seller's listings cannot be purchased at the moment",
  in_escrow: 'this property is in escrow',
  sold: 'this property is sold',
  unavailable: 'this property is not for sale',
  in_progress: 'another purchase is in progress',
  too_many_attempts: 'you have begun too many purchases today without paying; please try again tomorrow',
  price_changed: 'the price has changed',
  rail_limit: 'this way of paying cannot carry the price',
  incomplete: 'Property information is incomplete',
};

/** The same as a sentence of its own, under a button that is off (B-084). */
export const panelText: Record<PurchaseRefusal, string> = {
  ...refusalText,
  signed_out: 'Please log in to proceed with the purchase.',
  not_a_buyer: 'Only buyer accounts can purchase.',
  own: 'This is your own listing.',
  unverified: 'Please confirm your e-mail address first.',
  suspended: "This seller's listings cannot be purchased at the moment.",
  in_escrow: 'This property is in escrow with another buyer.',
  sold: 'This property is sold.',
  unavailable: 'This property is not for sale.',
  in_progress: 'Another purchase is in progress.',
  too_many_attempts: 'You have begun too many purchases today without paying. Please try again tomorrow.',
  price_changed: 'The price has changed. Please look at the new price and try again.',
  rail_limit: 'This way of paying cannot carry the price.',
};

/** The status that a refusal leaves with over HTTP. */
export function refusalStatus(reason: PurchaseRefusal | 'provider_down' | 'provider_refused'): number {
  if (reason === 'signed_out') return 401;
  if (reason === 'not_a_buyer' || reason === 'own' || reason === 'unverified') return 403;
  if (reason === 'too_many_attempts') return 429;
  if (reason === 'rail_limit' || reason === 'incomplete') return 422;
  if (reason === 'provider_down') return 503;
  return reason === 'provider_refused' ? 502 : 409;
}

/** What stands behind 'Payment processing error: ' when no checkout could be opened (S0 §8). */
export const checkoutText = (reason: Extract<CheckoutResult, { ok: false }>['reason']): string =>
  reason === 'provider_down'
    ? 'the payment provider does not answer; nothing was charged, please try again'
    : reason === 'provider_refused'
      ? 'the payment provider did not accept the payment; nothing was charged'
      : refusalText[reason];

/** A refusal as the error that people are shown; two of them stand alone (S0 §8). */
export const errorText = (reason: Extract<CheckoutResult, { ok: false }>['reason']): string =>
  reason === 'signed_out' || reason === 'incomplete'
    ? refusalText[reason]
    : processingError(checkoutText(reason));

/** 'Payment processing error: {server error or status text}' (S0 §8). */
export const processingError = (text: string): string => `Payment processing error: ${text}`;

/** When the fault is nobody's to name (S0 §8). */
export const initiateFailed: Record<Rail, string> = {
  card: 'Failed to initiate card payment. Please try again.',
  crypto: 'Failed to initiate crypto payment. Please try again.',
};

/** Buying needs an account (S0 §6). */
export const SIGN_IN_TO_BUY = {
  title: 'Authentication Required',
  text: 'Please log in to proceed with the purchase.',
};
export const railNames: Record<Rail, string> = { card: 'Card or bank transfer', crypto: 'Crypto' };
export const PURCHASE_CANCELLED = { title: 'Purchase cancelled', text: 'Nothing was charged.' };
export const NO_RECEIPT_YET = 'Receipt available after payment';
/** Longest problem report, in characters. */
export const NOTE_LIMIT = 2000;

export const moveText: Record<MoveRefusal, string> = {
  not_now: 'This is not possible any more. The page shows how things stand now.',
  not_yours: 'This is for the other side to do.',
  frozen: 'This sale is frozen until an open question is settled.',
  cancellation_asked: 'A cancellation has been requested. Settle that first.',
  no_cancellation_asked: 'Nobody has requested a cancellation.',
  asked_by_yourself: 'You requested this cancellation yourself; the other side answers it.',
  already_asked: 'A cancellation has been requested already.',
  already_delivered: 'The documents are marked as delivered already.',
  not_due: 'It is not time for this yet.',
  refund_running: 'A refund is on its way.',
  problem_open: 'A problem has been reported. It has to be settled first.',
  no_problem_open: 'No problem is open.',
};

const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** Dollars and cents, as in transaction tables and receipts (S0 §9); integer cents in. */
export const dollarsAndCents = (cents: number): string => exact.format(cents / 100);

const WIRE = 'Please send the seller an inquiry to arrange a wire transfer through a title company.';

export interface RailPlan {
  rail: Rail;
  /** why this rail cannot carry the price, with what can; null when it can */
  reason: string | null;
}

type Limits = Pick<RailLimits, 'minCents' | 'maxCents'>;

/**
 * Which ways of paying can carry a total, and if one cannot, why and what to do instead (B-081). Integer cents; a rail
 * without limits has no provider.
 */
export function planRails(totalCents: number, limits: Record<Rail, Limits | null>): RailPlan[] {
  const fits = (bounds: Limits | null) =>
    bounds !== null && totalCents >= bounds.minCents && totalCents <= bounds.maxCents;
  const instead: Record<Rail, string> = {
    card: fits(limits.crypto) ? 'Please use Pay with Crypto.' : WIRE,
    crypto: fits(limits.card) ? 'Please use Escrow with Card/Bank Transfer.' : WIRE,
  };
  const reason = (rail: Rail) => {
    const bounds = limits[rail];
    if (bounds === null) return `This way of paying is not set up here. ${instead[rail]}`;
    if (fits(bounds)) return null;
    const what = rail === 'card' ? 'A card or bank payment' : 'A crypto payment';
    return totalCents > bounds.maxCents
      ? `${what} can carry at most ${dollarsAndCents(bounds.maxCents)}. ${instead[rail]}`
      : `${what} starts at ${dollarsAndCents(bounds.minCents)}. ${instead[rail]}`;
  };
  return (['card', 'crypto'] as const).map((rail) => ({ rail, reason: reason(rail) }));
}

/** Statuses as users read them (S0 §4). */
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
  in_escrow: 'In escrow',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

/** Where anybody can look a transaction up; Base's own network unless it is the one for tries. */
export const transactionUrl = (network: string | null, txHash: string): string =>
  `https://${network === 'base-sepolia' ? 'sepolia.basescan.org' : 'basescan.org'}/tx/${encodeURIComponent(txHash)}`;

/** A seller's own transactions, also those of a suspended one, who may look (B-098). */
export const maySeeSellerSales = hasRole('agent');

/**
 * The payout status of a sale as its seller reads it (S0 §4): four with colours of their own, and while nothing is payable
 * yet what keeps it from that, in grey (B-120).
 */
export function payoutWords({ payment, escrow, payout }: SaleState): { label: string; tone: PayoutTone } {
  if (payment === 'refunded') return { label: 'Refunded', tone: 'mute' };
  if (payout) return payoutBadge[payout];
  if (payment === 'failed' || escrow === 'cancelled') return { label: 'Cancelled', tone: 'mute' };
  if (escrow === 'in_escrow') return { label: 'In escrow', tone: 'mute' };
  return { label: payment === 'processing' ? 'Payment processing' : 'Awaiting payment', tone: 'mute' };
}

type PayoutTone = 'ok' | 'warn' | 'info' | 'bad' | 'mute';
const payoutBadge: Record<PayoutStatus, { label: string; tone: PayoutTone }> = {
  pending: { label: 'Pending', tone: 'warn' },
  processing: { label: 'Processing', tone: 'info' },
  completed: { label: 'Completed', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
};
