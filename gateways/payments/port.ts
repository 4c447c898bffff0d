/** How money comes in: `card` is a card or a bank transfer, `crypto` a stablecoin on a chain (S0 §9). */
export type Rail = 'card' | 'crypto';

/** The provider that a sale was begun with; a sale is asked about there for the rest of its life. */
export type ProviderName = 'sandbox-card' | 'sandbox-crypto' | 'stripe' | 'coinbase';

/** One component of the price, as the buyer sees it on the provider's page. Integer US cents, positive. */
export interface CheckoutLine {
  name: string;
  amountCents: number;
}

/** A checkout to open. The lines add up to `amountCents`; `expiresAt` is when the provider closes it (UTC). */
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
 * `open`: nobody has paid; `processing`: money is on its way (bank transfer submitted, transaction seen); `paid`: money has
 * arrived; `failed`: it will not arrive; `expired` and `canceled`: closed without payment.
 */
export type CheckoutStatus = 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'canceled';

/** A refund as the provider knows it. `key` is the idempotency key it was asked for with, where the provider keeps it. */
export interface RefundState {
  ref: string;
  status: 'pending' | 'succeeded' | 'failed';
  amountCents: number;
  key: string | null;
}

/** A payment that the buyer's bank takes back (chargeback, bank transfer return). */
export interface DisputeState {
  ref: string;
  status: 'open' | 'won' | 'lost';
  amountCents: number;
  reason: string;
  /** until when the provider takes evidence; null when it takes none */
  evidenceDueAt: Date | null;
}

/** What the provider knows about a checkout now. Amounts are integer cents of `currency` (lower case, 'usd'). */
export interface CheckoutState {
  ref: string;
  /** the provider's page; null once closed */
  url: string | null;
  status: CheckoutStatus;
  /** whose sale it is, as given when it was opened */
  saleId: string | null;
  amountCents: number;
  currency: string;
  livemode: boolean;
  /** what the provider keeps of a paid amount; null while unknown */
  feeCents: number | null;
  /** the payment inside the checkout; null before there is one */
  paymentRef: string | null;
  receiptUrl: string | null;
  txHash: string | null;
  network: string | null;
  expiresAt: Date;
  refunds: RefundState[];
  dispute: DisputeState | null;
}

/** A message of the provider, verified. It names what to ask about and carries nothing that is believed. */
export interface ProviderMessage {
  eventId: string;
  type: string;
  /** the checkout it is about, or else the payment (refunds and disputes name only that); both null: none of ours */
  ref: string | null;
  paymentRef: string | null;
}

/** What one payment may be: cents, and how long a checkout may stay open. */
export interface RailLimits {
  minCents: number;
  maxCents: number;
  shortestMs: number;
  longestMs: number;
}

/**
 * A payment provider. Every implementation throws `PaymentError` and nothing else, answers or gives up within 8 seconds,
 * and may be asked to repeat each write with its key: the same content gives the first answer again, other content is a
 * `conflict`. No method may be called inside a transaction.
 */
export interface PaymentsPort {
  readonly provider: ProviderName;
  readonly rail: Rail;
  /** false for sandboxes and test keys */
  readonly livemode: boolean;
  readonly limits: RailLimits;
  createCheckout(
    request: CheckoutRequest,
    idempotencyKey: string,
  ): Promise<{ ref: string; url: string; expiresAt: Date }>;
  /** The only source of truth, after any message or redirect. */
  getCheckout(ref: string): Promise<CheckoutState>;
  /** Closes an open checkout, and again quietly; `conflict` once money is on its way or there. */
  cancelCheckout(ref: string, idempotencyKey: string): Promise<CheckoutState>;
  /** Gives money back; `limit` beyond what is left, `conflict` when nothing was paid. */
  refund(
    request: { ref: string; amountCents: number; reason: string },
    idempotencyKey: string,
  ): Promise<RefundState>;
  /** Verifies the signature on the raw body; stamps older or further ahead than five minutes are refused. */
  parseWebhook(message: { rawBody: Uint8Array; headers: Headers; now: Date }): ProviderMessage;
  /** Resolves when the provider can be reached and accepts our keys. */
  check(): Promise<void>;
}

/**
 * `invalid`: the request is wrong; `not_found`; `conflict`: the state or an earlier use of the key forbids it; `limit`: the
 * amount is not possible; `declined`; `bad_signature`; `auth`: our keys are wrong; `rate_limited`; `unavailable`: no answer,
 * or none that can be understood.
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

/** What a provider's adapter throws. `retryable` tells whether the same call can succeed later. */
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

/** Every provider of this process: the one that new sales use on each rail, and all that running sales may need. */
export interface Payments {
  forRail(rail: Rail): PaymentsPort;
  /** @throws PaymentError `unavailable` when its keys are not configured any more */
  of(provider: string): PaymentsPort;
}
