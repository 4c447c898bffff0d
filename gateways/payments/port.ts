import { HOUR } from '#platform/durations.ts';
/** How the buyer pays: `card` is a card or a bank transfer, `crypto` a stablecoin on a blockchain. */
export const paymentMethods = ['card', 'crypto'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/**
 * What the buyer paid with at the provider: `bank` is a debit of a bank account, which can be returned for weeks; `transfer` was
 * sent by the payer's own bank, and can be neither disputed nor called back.
 */
export type PaidWith = 'card' | 'bank' | 'chain' | 'transfer';

/** A sale stays with the provider that it was started with. */
export type ProviderName =
  | 'sandbox-card'
  | 'sandbox-transfers'
  | 'sandbox-crypto'
  | 'stripe'
  | 'stripe-transfers'
  | 'coinbase';

/** A line item as the buyer sees it on the provider's page. Integer US cents, positive. */
export interface CheckoutLine {
  name: string;
  amountCents: number;
}

/** A checkout to open. The lines add up to `amountCents`; `expiresAt` is when the provider closes it. */
export interface CheckoutRequest {
  saleId: string;
  lines: CheckoutLine[];
  amountCents: number;
  description: string;
  buyerEmail: string;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
}

/**
 * `open`: not paid yet; `processing`: payment pending (bank transfer submitted, transaction seen, a part received); `paid`: funds
 * received, all of them; `failed`: the payment failed; `expired` and `canceled`: closed without the whole payment.
 */
export type CheckoutStatus = 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'canceled';

/** A transfer that has arrived for a payment in parts: it is in our balance. Cents. */
export interface Tranche {
  /** the provider's reference of it as a payment */
  ref: string;
  amountCents: number;
  /** the provider's fee for it; null while unknown */
  feeCents: number | null;
}

/** Providers remember keys for a day at least: what was sent longer ago is looked for before it is sent again. */
export const KEY_LASTS_MS = 23 * HOUR;

/**
 * A refund as the provider reports it. `key` is its idempotency key, where the provider stores that. One that is drawn on several
 * tranches is still one: it is pending until every part has ended, then it has succeeded if any part has, and `amountCents` is
 * what those parts return; it has failed when all have.
 */
export interface RefundState {
  ref: string;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  key: string | null;
}

/**
 * A payment, or a part of it, disputed by the buyer's bank. An `inquiry` is a question of the bank: no money has moved. It may
 * become a `chargeback` of the same `ref`; a returned bank debit is a `chargeback` that is `lost` at once.
 */
export interface DisputeState {
  ref: string;
  kind: 'inquiry' | 'chargeback';
  status: 'open' | 'won' | 'lost';
  /** what was taken back from us, or for an inquiry what it is about */
  amountCents: number;
  /** of that, what has come back: all of it when won, sometimes a part when lost */
  returnedCents: number;
  /** what the provider keeps for the dispute, net of what it has given back; null while unknown */
  feeCents: number | null;
  reason: string;
  /** deadline for evidence; null when none is accepted */
  evidenceDueAt: Date | null;
}

/** The provider's current state of a checkout. Amounts are integer cents of `currency` (lower case, 'usd'). */
export interface CheckoutState {
  ref: string;
  /** the provider's page; null once closed */
  url: string | null;
  status: CheckoutStatus;
  /** as given when the checkout was opened */
  saleId: string | null;
  amountCents: number;
  currency: string;
  livemode: boolean;
  /** the provider's processing fee; null while unknown */
  feeCents: number | null;
  /** the payment inside the checkout; null before there is one */
  paymentRef: string | null;
  /** null before there is a payment, and when the provider does not say */
  paidWith: PaidWith | null;
  receiptUrl: string | null;
  txHash: string | null;
  network: string | null;
  expiresAt: Date;
  /** what has arrived of a payment in parts, in order, also after it was closed; empty for a payment in one piece */
  tranches: Tranche[];
  refunds: RefundState[];
  /** in order of creation */
  disputes: DisputeState[];
}

/** A verified webhook. It only says which checkout changed; the state itself is always read from the provider. */
export interface WebhookEvent {
  eventId: string;
  type: string;
  /** the checkout, or else the payment (refunds and disputes name only that); both null: not one of ours */
  ref: string | null;
  paymentRef: string | null;
  /** whose message it is; absent where there can be one account only */
  from?: PaymentBinding;
}

/**
 * What moved money in our balance with the provider. `refund_return`: a refund that failed after it had left; `dispute_return`:
 * what a decided dispute gave back; `bank_payout`: from the balance to our bank; `bank_payout_return`: from there to the
 * balance; `transfer`: to another account, as a payout to a seller; `fee`: one of its own, not the fee of another transaction;
 * `adjustment`: everything else.
 */
export type TransactionKind =
  | 'payment'
  | 'refund'
  | 'refund_return'
  | 'dispute'
  | 'dispute_return'
  | 'fee'
  | 'bank_payout'
  | 'bank_payout_return'
  | 'transfer'
  | 'transfer_return'
  | 'adjustment';

/** One change of our balance with the provider: the balance changed by `amountCents` minus `feeCents`. */
export interface ProviderTransaction {
  /** unique and stable: the same in every answer */
  ref: string;
  kind: TransactionKind;
  /** before the fee; negative when money left */
  amountCents: number;
  /** negative when a fee came back */
  feeCents: number;
  /** of both amounts, lower case: 'usd', also for a stablecoin that stands for the dollar; anything else is no part of `balance` */
  currency: string;
  /** what it is about, each null where the provider does not name it; a payment is named as in `CheckoutState.paymentRef` */
  checkoutRef: string | null;
  paymentRef: string | null;
  /** the refund, dispute, bank payout or transfer */
  objectRef: string | null;
  saleId: string | null;
  at: Date;
}

/** A page of transactions; `next` is the cursor of the following page, null on the last one. */
export interface TransactionPage {
  transactions: ProviderTransaction[];
  next: string | null;
}

/** Our balance with the provider in US cents. Both can be negative. */
export interface ProviderBalance {
  /** can be refunded or paid out now */
  availableCents: number;
  /** received, and available later */
  pendingCents: number;
}

/** How our account with the provider is set up. */
export interface AccountSettings {
  /** true if the balance leaves to our bank only when we ask for it; null when the provider does not say */
  manualPayouts: boolean | null;
  /** whether payments may come by a debit of a bank account; null when the provider does not say */
  bankDebits: boolean | null;
  /** whether they may come by transfers that the payer's own bank sends; null when the provider does not say */
  bankTransfers: boolean | null;
}

/** What a file shows; at most one file of each kind. */
export type EvidenceKind =
  | 'receipt'
  | 'service_documentation'
  | 'customer_communication'
  | 'customer_signature'
  | 'refund_policy'
  | 'other';

export interface EvidenceFile {
  kind: EvidenceKind;
  name: string;
  contentType: 'application/pdf' | 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
}

/** What all files of our answer to a dispute may have together, in bytes. */
export const MAX_EVIDENCE_FILES_BYTES = 4_500_000;

/** Our answer to a dispute. Each text has at most 20,000 characters, all together 150,000; all files together 4.5 MB. */
export interface DisputeEvidence {
  disputeRef: string;
  texts: {
    productDescription?: string;
    customerName?: string;
    customerEmail?: string;
    customerPurchaseIp?: string;
    /** when the buyer received what was bought, as people write it */
    serviceDate?: string;
    accessLog?: string;
    refundPolicyDisclosure?: string;
    refundRefusalExplanation?: string;
    /** everything else that speaks for us */
    statement?: string;
  };
  files: EvidenceFile[];
}

/** Limits of one payment: the amount in cents, and how long a checkout may stay open in milliseconds. */
export interface PaymentMethodLimits {
  minCents: number;
  maxCents: number;
  minLifetimeMs: number;
  maxLifetimeMs: number;
  /** the most that a debit of a bank account carries, 0 where there are none; absent where it is as much as a card does */
  bankDebitMaxCents?: number;
  /** the most that one transfer carries where the payment comes in parts; absent for payments in one piece */
  trancheCents?: number;
}

/** Refunds of payments by `ProviderTransaction.paymentRef`, on the terms of `PaymentsPort.refund`. */
interface PaymentRefunds {
  refund(
    request: { paymentRef: string; amountCents: number; reason: string },
    idempotencyKey: string,
  ): Promise<RefundState>;
  refundsOf(paymentRef: string): Promise<RefundState[]>;
}

/**
 * A payment provider. Every implementation throws `PaymentError` and nothing else, and responds or gives up within 8
 * seconds. Writes are idempotent by key: the same content returns the first response, different content is a `conflict`.
 * No method may be called inside a database transaction.
 */
export interface PaymentsPort {
  readonly provider: ProviderName;
  readonly method: PaymentMethod;
  /** false for sandboxes and test keys */
  readonly livemode: boolean;
  readonly limits: PaymentMethodLimits;
  /** what the provider's scripts in browsers would need: public; absent or null where there is none */
  readonly publishableKey?: string | null;
  createCheckout(
    request: CheckoutRequest,
    idempotencyKey: string,
  ): Promise<{ ref: string; url: string; expiresAt: Date }>;
  /** The only source of truth after a webhook or redirect. */
  getCheckout(ref: string): Promise<CheckoutState>;
  /**
   * Closes an open checkout; idempotent. `conflict` once the payment is processing or paid. A payment in parts is closed also with
   * a part received, since nothing more is wanted; only when it is complete that is a `conflict`.
   */
  cancelCheckout(ref: string, idempotencyKey: string): Promise<CheckoutState>;
  /**
   * Refunds a payment, of one in parts whatever has arrived; `limit` beyond the remaining amount, `conflict` when nothing was paid
   * or while a chargeback is not won.
   * Where the balance does not cover it, the refund stays pending until it does, or the call is `unavailable`.
   */
  refund(
    request: { ref: string; amountCents: number; reason: string },
    idempotencyKey: string,
  ): Promise<RefundState>;
  /**
   * Refunds by their reference payments that the provider lists without a checkout: there may be none, as for a payment taken in
   * its dashboard. Absent where every payment is listed with its checkout.
   */
  readonly payments?: PaymentRefunds;
  /** Verifies the signature of the raw body; timestamps more than five minutes off are rejected. */
  parseWebhook(message: { rawBody: Uint8Array; headers: Headers; now: Date }): WebhookEvent;
  /** Resolves when the provider is reachable and accepts our keys. */
  check(): Promise<void>;
  /** The provider's id of our account, asked once and then remembered. */
  account(): Promise<string>;
  accountSettings(): Promise<AccountSettings>;
  balance(): Promise<ProviderBalance>;
  /**
   * One page of everything that changed our balance at or after `since`; there may be earlier ones where the provider does not
   * say when it was. Going through all pages yields every transaction that existed at the first one, in the provider's order;
   * the same one may come twice. The cursor is that of the page before, for the same `since`.
   */
  listTransactions(page: { since: Date; cursor?: string }): Promise<TransactionPage>;
  /**
   * Answers a dispute; absent where payments cannot be disputed. Evidence is final: `conflict` after other evidence, after the
   * deadline, and once the dispute is decided. `invalid` for evidence beyond its limits.
   */
  submitEvidence?(evidence: DisputeEvidence, idempotencyKey: string): Promise<DisputeState>;
}

/**
 * `invalid`: malformed request; `not_found`; `conflict`: forbidden by the state or by an earlier use of the key; `limit`:
 * amount out of range; `declined`; `bad_signature`; `auth`: our keys are wrong; `rate_limited`; `unavailable`: no response,
 * or an unintelligible one.
 */
export type PaymentErrorCode =
  | 'invalid'
  | 'not_found'
  | 'conflict'
  | 'limit'
  | 'declined'
  | 'bad_signature'
  | 'auth'
  | 'rate_limited'
  | 'unavailable';

/** What a provider throws. `retryable` says whether the same call can succeed later. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError';
  readonly code: PaymentErrorCode;
  readonly retryable: boolean;

  constructor(code: PaymentErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryable = code === 'rate_limited' || code === 'unavailable';
  }
}

/** What a payment belongs to at its provider; `account` is null for payments from before it was recorded. */
export interface PaymentBinding {
  livemode: boolean;
  account: string | null;
}

/** All configured providers: the one that new sales use for each payment method, and those that running sales need. */
export interface Payments {
  /** Above the limit of one payment it is the provider's port for payments in parts, if there is one. Cents. */
  forMethod(method: PaymentMethod, totalCents?: number): PaymentsPort;
  /**
   * The provider of a payment. With `bound` it concludes nothing from keys of another mode or account: there a payment that
   * exists would be unknown. The account is compared before each call.
   * @throws PaymentError `unavailable` when its keys are no longer configured, or are of the other mode; the calls reject with
   *   it when the keys are of another account
   */
  of(provider: string, bound?: PaymentBinding): PaymentsPort;
}
