import type { PaymentBinding, ProviderBalance, TransactionPage } from '../payments/port.ts';

/** How a seller is paid: with a connected account at Stripe, or by PayPal to an e-mail address. */
export const payoutMethods = ['stripe', 'paypal'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];

/** A payout stays with the provider that it was sent with; its messages are kept under the same name. */
const payoutProviders = ['sandbox-connect', 'sandbox-paypal', 'stripe-connect', 'paypal'] as const;
export type PayoutProviderName = (typeof payoutProviders)[number];

/** A payment that funds a payout, and how much of it at most, in cents. */
export interface PayoutSource {
  /** as in `CheckoutState.paymentRef`, or that of a tranche */
  paymentRef: string;
  amountCents: number;
}

/** A payout to send. Integer US cents, positive. */
export interface PayoutRequest {
  /** `payout:<sale>:<attempt>`: the idempotency key, by which the payout is also found later */
  key: string;
  saleId: string;
  amountCents: number;
  /** the connected account, or the PayPal address */
  destination: string;
  /**
   * Payments of the sale at the same provider, oldest first, drawn on in this order; what they do not cover comes out of the
   * available balance. Empty when the money came in elsewhere.
   */
  sources: PayoutSource[];
  description: string;
}

/**
 * Why nothing, or not everything, arrived. `account_inactive`: the account cannot receive money; `destination_unknown`: there is
 * no such account; `balance_short`: our balance did not cover it; `unclaimed`: the recipient has not accepted it yet; `returned`:
 * it came back, unclaimed or from the bank; `reversed`: taken back by us or the provider; `blocked`: stopped by the provider's
 * review; `limit`: beyond what the provider allows.
 */
const payoutFailures = [
  'account_inactive',
  'destination_unknown',
  'balance_short',
  'unclaimed',
  'returned',
  'reversed',
  'blocked',
  'limit',
  'other',
] as const;
export type PayoutFailure = (typeof payoutFailures)[number];

/** A part of a payout as the provider carries it: at PayPal at most $20,000, at Stripe one for each source. */
export interface PayoutItem {
  /** the provider's reference: the `objectRef` of its transactions */
  ref: string;
  amountCents: number;
  /** what of it has come back to our balance, for whatever reason; all of it when `returned` */
  returnedCents: number;
  status: 'processing' | 'paid' | 'failed' | 'returned';
  /** also while `processing`: `unclaimed`, or `blocked` during a review */
  failure: PayoutFailure | null;
}

/** The provider's current state of a payout. Cents. */
export interface PayoutState {
  key: string;
  /** the provider's reference of the whole, where it has one; to be kept and given to `find` */
  ref: string | null;
  /**
   * `processing` until every item has ended; then `paid` when all of the payout has arrived and stayed, `partly_paid` when a part
   * has, `failed` when nothing has. `paid` can still become another when money comes back.
   */
  status: 'processing' | 'paid' | 'partly_paid' | 'failed';
  /** empty when the provider refused the whole payout */
  items: PayoutItem[];
  /** what has arrived and stayed */
  paidCents: number;
  /** the provider's fees, on top of the amount; null while unknown */
  feeCents: number | null;
  /** the first failure of an item, or why the whole was refused */
  failure: PayoutFailure | null;
  /** when the seller can use the money; null when the provider does not say */
  arrivesAt: Date | null;
}

/** A seller's account at the provider. */
export interface SellerAccount {
  ref: string;
  /** payouts can be sent to it */
  transfersActive: boolean;
  /** what the seller has to do, as a sentence; null when nothing is missing */
  requirement: string | null;
}

/** A verified message. It only says what to ask about; both null: nothing of ours. */
export interface PayoutWebhookEvent {
  eventId: string;
  type: string;
  payoutKey: string | null;
  /** the connected account that changed */
  account: string | null;
}

/** What was taken back of a payout. Cents. */
export interface PayoutReversal {
  reversedCents: number;
  /** the provider's references of what was taken back from the items */
  refs: string[];
}

/** Hosted onboarding of sellers. */
export interface PayoutOnboarding {
  /** Opens an account for a seller; idempotent by key. */
  create(
    seller: { agentId: string; email: string; name: string },
    idempotencyKey: string,
  ): Promise<SellerAccount>;
  /**
   * A link to the provider's page, usable once and for some minutes. It leads back to `returnUrl` whatever was done there, and to
   * `refreshUrl` when it is no longer valid, where a new one is to be made.
   */
  link(account: string, urls: { returnUrl: string; refreshUrl: string }): Promise<{ url: string }>;
  /** The only source of truth after a message or return; `not_found` for an account that does not exist. */
  state(account: string): Promise<SellerAccount>;
  /** The seller's own page at the provider; `conflict` before the onboarding is done. */
  loginLink(account: string): Promise<{ url: string }>;
}

/**
 * A provider of payouts. Every implementation throws `PaymentError` and nothing else, and responds or gives up within 8 seconds.
 * No method may be called inside a database transaction.
 */
export interface PayoutsPort {
  readonly provider: PayoutProviderName;
  readonly method: PayoutMethod;
  /** false for sandboxes and test keys */
  readonly livemode: boolean;
  /** the provider of payments whose balance pays; its own name where the account receives no payments */
  readonly accountProvider: string;
  /** The provider's id of our account, asked once and then remembered. */
  account(): Promise<string>;
  balance(): Promise<ProviderBalance>;
  /**
   * Sends a payout; idempotent by its key: the same content returns its current state, different content is a `conflict`.
   * A payout that the provider refuses is returned as `failed` or `partly_paid`; that is final for this key. After `unavailable`
   * and `rate_limited` it may have been sent: the same call must be repeated until it answers.
   */
  send(request: PayoutRequest): Promise<PayoutState>;
  /**
   * The only source of truth about a payout that was sent at `sentAt`; `ref` is null while `send` has not answered. Null only
   * where sending again under the same key cannot pay twice.
   */
  find(payout: { key: string; ref: string | null; sentAt: Date }): Promise<PayoutState | null>;
  /**
   * Takes back a part of a payout, the last items first; absent where providers cannot. Idempotent by key. `limit` beyond what
   * is left of it, `declined` when the seller's balance with the provider does not cover it.
   */
  reverse?(
    request: { payoutKey: string; amountCents: number },
    idempotencyKey: string,
  ): Promise<PayoutReversal>;
  /** Verifies the signature of the raw body; timestamps more than five minutes off are rejected, except PayPal's, which repeats with the first. */
  parseWebhook(message: { rawBody: Uint8Array; headers: Headers; now: Date }): Promise<PayoutWebhookEvent>;
  /** As `PaymentsPort.listTransactions`, where the account is not shared with payments. */
  listTransactions?(page: { since: Date; cursor?: string }): Promise<TransactionPage>;
  /** absent where sellers need no account of their own */
  onboarding?: PayoutOnboarding;
  /** Resolves when the provider is reachable and accepts our keys. */
  check(): Promise<void>;
}

/** All configured providers of payouts. */
export interface Payouts {
  /** The provider that new payouts of a method use; null when none is configured: they are made by hand. */
  forMethod(method: PayoutMethod): PayoutsPort | null;
  /**
   * The provider of a payout. With `bound` it concludes nothing from keys of another mode or account: there a payout that was
   * sent would be unknown.
   * @throws PaymentError `unavailable` when its keys are no longer configured, or are of the other mode; the calls reject with
   *   it when the keys are of another account
   */
  of(provider: string, bound?: PaymentBinding): PayoutsPort;
}
