import type { PropertyStatus } from '#features/listings/model.ts';
import { FIRST_PART_HOLD_MS, PARTS_HOLD_MS } from '#features/sales/model.ts';
import { type PaymentMethod, type PaymentMethodLimits, paymentMethods } from '#gateways/payments/port.ts';
import { anyone, signedIn } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { OpenCheckoutResult, PurchaseRefusal } from './model.ts';

/** Any signed-in user may try to buy; `purchaseRefusal` decides about the property. */
export const mayPurchase = signedIn;
export const mayDiagnose = signedIn;
/** Everybody may see whether the property is held, and until when. */
export const maySeePanel = anyone;
interface PurchasableListing {
  status: PropertyStatus;
  seller: { id: string; suspended: boolean };
}

/** Why this person cannot buy this listing, or null. Holds and prices are checked against the database later. */
export function purchaseRefusal(actor: Actor, listing: PurchasableListing): PurchaseRefusal | null {
  if (actor.kind !== 'user') return 'signed_out';
  if (actor.agentId !== null && actor.agentId === listing.seller.id) return 'own';
  if (actor.role !== 'buyer') return 'not_a_buyer';
  if (actor.suspended) return 'account_suspended';
  if (!actor.emailVerified) return 'unverified';
  return listingRefusal(listing);
}

/** Why nobody can buy this listing now, or null. */
export function listingRefusal({ status, seller }: PurchasableListing): PurchaseRefusal | null {
  if (status === 'escrow') return 'in_escrow';
  if (status === 'Sold') return 'sold';
  if (status !== 'Active') return 'unavailable';
  return seller.suspended ? 'suspended' : null;
}

/** Refusals as they follow 'Payment processing error: '. */
export const refusalMessages: Record<PurchaseRefusal, string> = {
  signed_out: 'Authentication required',
  not_a_buyer: 'only buyer accounts can purchase',
  own: 'this is your own listing',
  unverified: 'please confirm your email address first',
  account_suspended: 'your account is suspended',
  suspended: "this seller's listings cannot be purchased right now",
  in_escrow: 'this property is in escrow',
  sold: 'this property is sold',
  unavailable: 'this property is not for sale',
  in_progress: 'another purchase is in progress',
  ended: 'this purchase has ended; please try again',
  too_many_attempts: 'you have started too many purchases today without paying; please try again tomorrow',
  price_changed: 'the price has changed',
  rail_limit: 'this payment method cannot be used for this price',
  test_mode: 'payments are in test mode, and only named test buyers can purchase',
  incomplete: 'Property information is incomplete',
};

/** The same as complete sentences, for below a disabled button. */
export const panelRefusalMessages: Record<PurchaseRefusal, string> = {
  ...refusalMessages,
  signed_out: 'Please log in to proceed with the purchase.',
  not_a_buyer: 'Only buyer accounts can purchase.',
  own: 'This is your own listing.',
  unverified: 'Please confirm your email address first.',
  account_suspended: 'Your account is suspended. You cannot start new purchases.',
  suspended: "This seller's listings cannot be purchased right now.",
  in_escrow: 'This property is in escrow with another buyer.',
  sold: 'This property is sold.',
  unavailable: 'This property is not for sale.',
  in_progress: 'Another purchase is in progress.',
  ended: 'This purchase has ended. Please try again.',
  too_many_attempts: 'You have started too many purchases today without paying. Please try again tomorrow.',
  price_changed: 'The price has changed. Please review the new price and try again.',
  rail_limit: 'This payment method cannot be used for this price.',
  test_mode: 'Payments are in test mode. Only named test buyers can purchase.',
};

/** The HTTP status of a refusal. */
export function refusalStatus(reason: PurchaseRefusal | 'provider_down' | 'provider_refused') {
  if (reason === 'signed_out') return 401;
  if (
    reason === 'not_a_buyer' ||
    reason === 'own' ||
    reason === 'unverified' ||
    reason === 'account_suspended' ||
    reason === 'test_mode'
  )
    return 403;
  if (reason === 'too_many_attempts') return 429;
  if (reason === 'rail_limit' || reason === 'incomplete') return 422;
  if (reason === 'provider_down') return 503;
  return reason === 'provider_refused' ? 502 : 409;
}

/** What follows 'Payment processing error: ' when no checkout could be opened. */
export const checkoutFailureMessage = (
  reason: Extract<OpenCheckoutResult, { ok: false }>['reason'],
): string =>
  reason === 'provider_down'
    ? 'the payment provider is not responding; nothing was charged, please try again'
    : reason === 'provider_refused'
      ? 'the payment provider did not accept the payment; nothing was charged'
      : refusalMessages[reason];

/** The error shown for a refusal; two of them go without the 'Payment processing error' prefix. */
export const purchaseErrorMessage = (reason: Extract<OpenCheckoutResult, { ok: false }>['reason']): string =>
  reason === 'signed_out' || reason === 'incomplete'
    ? refusalMessages[reason]
    : processingErrorMessage(checkoutFailureMessage(reason));

/** 'Payment processing error: {server error or status text}'. */
export const processingErrorMessage = (text: string): string => `Payment processing error: ${text}`;
/** Shown when the cause is unknown. */
export const initiateFailedMessages: Record<PaymentMethod, string> = {
  card: 'Failed to initiate card payment. Please try again.',
  crypto: 'Failed to initiate crypto payment. Please try again.',
};

export const SIGN_IN_TO_BUY = {
  title: 'Authentication Required',
  text: 'Please log in to proceed with the purchase.',
};

const WIRE_TRANSFER_HINT =
  'Please send the seller an inquiry to arrange a wire transfer through a title company.';

interface PaymentMethodPlan {
  method: PaymentMethod;
  /** why this method cannot carry the price, and what can; null when it can */
  reason: string | null;
  /** how it carries it, where that is not by card or bank account as the buyer likes; null otherwise */
  hint: string | null;
}

type Limits = Pick<PaymentMethodLimits, 'minCents' | 'maxCents' | 'bankDebitMaxCents' | 'trancheCents'>;
/**
 * Which payment methods can carry a total, and if one cannot, why and what to do instead. Integer cents; a method without
 * limits has no provider.
 */
export function planPaymentMethods(
  totalCents: number,
  limits: Record<PaymentMethod, Limits | null>,
): PaymentMethodPlan[] {
  const fits = (bounds: Limits | null) =>
    bounds !== null && totalCents >= bounds.minCents && totalCents <= bounds.maxCents;
  const alternative: Record<PaymentMethod, string> = {
    card: fits(limits.crypto) ? 'Please use Pay with Crypto.' : WIRE_TRANSFER_HINT,
    crypto: fits(limits.card) ? 'Please use Escrow with Card/Bank Transfer.' : WIRE_TRANSFER_HINT,
  };
  const reason = (method: PaymentMethod) => {
    const bounds = limits[method];
    if (bounds === null) return `This payment method is not available here. ${alternative[method]}`;
    if (fits(bounds)) return null;
    const what = method === 'card' ? 'Card and bank payments' : 'Crypto payments';
    return totalCents > bounds.maxCents
      ? `${what} are limited to ${dollarsAndCents(bounds.maxCents)}. ${alternative[method]}`
      : `${what} start at ${dollarsAndCents(bounds.minCents)}. ${alternative[method]}`;
  };
  return paymentMethods.map((method) => ({
    method,
    reason: reason(method),
    hint: hintOf(totalCents, limits[method]),
  }));
}

function hintOf(totalCents: number, limits: Limits | null): string | null {
  const { maxCents = 0, bankDebitMaxCents = maxCents, trancheCents } = limits ?? {};
  if (trancheCents !== undefined) {
    const parts = Math.ceil(totalCents / trancheCents);
    return `By bank transfer, in ${parts} parts of at most ${dollarsAndCents(trancheCents)}. The first is due within ${FIRST_PART_HOLD_MS / HOUR} hours, the rest within ${PARTS_HOLD_MS / DAY} days after it.`;
  }
  if (totalCents <= bankDebitMaxCents || totalCents > maxCents) return null;
  return bankDebitMaxCents === 0
    ? 'By card. Payments from a bank account are not available here.'
    : `By card. Payments from a bank account are limited to ${dollarsAndCents(bankDebitMaxCents)}.`;
}
