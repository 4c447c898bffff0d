import { createHash } from 'node:crypto';
import { CoinbaseApiError } from './api-error.ts';

type CoinbaseStatus =
  | 'ACTIVE'
  | 'PROCESSING'
  | 'DEACTIVATED'
  | 'EXPIRED'
  | 'COMPLETED'
  | 'FAILED'
  | 'REFUNDED'
  | 'PARTIALLY_REFUNDED';

export type RefundRecord = {
  id: string;
  checkoutId: string;
  amount: string;
  currency: string;
  reason?: string;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  createdAt: string;
  completedAt?: string;
  transactionHash?: string;
};

export type CheckoutRecord = {
  id: string;
  url: string;
  amount: string;
  currency: string;
  network: string;
  address: string;
  tokenAddress: string;
  status: CoinbaseStatus;
  description?: string;
  metadata?: Record<string, string>;
  successRedirectUrl?: string;
  failRedirectUrl?: string;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  settlement?: { totalAmount: string; feeAmount: string; netAmount: string; currency: string };
  transactionHash?: string;
  refundedAmount?: string;
  refunds?: RefundRecord[];
};

export type CoinbaseEvent = { eventId: string; eventType: string; body: object };

/** The state of one fake Coinbase account (sandbox or live), and the payers and refunds that change it. */
export class CoinbaseAccount {
  readonly checkouts = new Map<string, CheckoutRecord>();
  /** All events in order. Nothing is delivered automatically. */
  readonly events: CoinbaseEvent[] = [];
  /** false: refunds beyond the balance are rejected */
  coversShortfall = true;
  readonly #now: () => Date;
  readonly #environment: string;
  #count = 0;

  /** `environment`: a name that makes the ids of its checkouts differ from those of another one. */
  constructor(now: () => Date, environment: string) {
    this.#now = now;
    this.#environment = environment;
  }

  get time(): string {
    return this.#now().toISOString();
  }

  /** A unique hex id of this length. */
  uniqueHex(digits: number): string {
    this.#count += 1;
    return createHash('sha256').update(`${this.#environment} ${this.#count}`).digest('hex').slice(0, digits);
  }

  /** @throws CoinbaseRefusal `not_found` */
  checkout(id: string): CheckoutRecord {
    this.#closeLate();
    const found = this.checkouts.get(id);
    if (!found) throw new CoinbaseApiError(404, 'not_found', 'The checkout was not found');
    return found;
  }

  /** The buyer pays and the chain confirms. */
  pay(id: string): void {
    this.submit(id);
    this.settle(id);
  }

  /** The buyer's transaction is seen on the chain. A checkout accepts one payment. */
  submit(id: string): void {
    const checkout = this.#in(id, 'ACTIVE');
    checkout.transactionHash = `0x${this.uniqueHex(64)}`;
    this.#move(checkout, 'PROCESSING');
  }

  settle(id: string): void {
    const checkout = this.#in(id, 'PROCESSING');
    const total = centsOf(checkout.amount);
    const fee = (total * 125n + 5_000n) / 10_000n;
    checkout.settlement = {
      totalAmount: amountOf(total),
      feeAmount: amountOf(fee),
      netAmount: amountOf(total - fee),
      currency: checkout.currency,
    };
    this.#move(checkout, 'COMPLETED', 'checkout.payment.success');
  }

  bounce(id: string): void {
    this.#move(this.#in(id, 'PROCESSING'), 'FAILED', 'checkout.payment.failed');
  }

  settleRefund(refundId: string): void {
    const [checkout, refund] = this.#pendingRefund(refundId);
    refund.status = 'COMPLETED';
    refund.completedAt = this.time;
    refund.transactionHash = `0x${this.uniqueHex(64)}`;
    const refunded = sumOf(checkout, ['COMPLETED']);
    checkout.refundedAmount = amountOf(refunded);
    const isAll = refunded === centsOf(checkout.amount);
    this.#move(checkout, isAll ? 'REFUNDED' : 'PARTIALLY_REFUNDED', 'checkout.refund.success');
  }

  failRefund(refundId: string): void {
    const [checkout, refund] = this.#pendingRefund(refundId);
    refund.status = 'FAILED';
    this.#move(checkout, checkout.status, 'checkout.refund.failed');
  }

  /** Our USDC in cents: what was paid without the fees, less what has been given back. */
  get balanceCents(): bigint {
    let cents = 0n;
    for (const checkout of this.checkouts.values())
      cents += centsOf(checkout.settlement?.netAmount ?? '0') - sumOf(checkout, ['COMPLETED']);
    return cents;
  }

  /** Refunds a completed checkout. @throws CoinbaseRefusal when the amount is not left, or not covered */
  refund(checkout: CheckoutRecord, params: { amount: string; reason?: string }): RefundRecord {
    if (checkout.status !== 'COMPLETED' && checkout.status !== 'PARTIALLY_REFUNDED')
      throw CoinbaseApiError.invalid('Only a completed checkout can be refunded');
    const remaining = centsOf(checkout.amount) - sumOf(checkout, ['PENDING', 'COMPLETED']);
    const cents = centsOf(params.amount);
    if (cents < 1n || cents > remaining)
      throw CoinbaseApiError.invalid('The amount must not exceed the remaining refundable amount');
    const promised = [...this.checkouts.values()].reduce((sum, each) => sum + sumOf(each, ['PENDING']), 0n);
    if (!this.coversShortfall && cents > this.balanceCents - promised)
      throw CoinbaseApiError.invalid('The balance is not sufficient');
    const refund: RefundRecord = {
      id: this.uniqueHex(24),
      checkoutId: checkout.id,
      amount: amountOf(cents),
      currency: checkout.currency,
      status: 'PENDING',
      createdAt: this.time,
      ...(params.reason === undefined ? {} : { reason: params.reason }),
    };
    checkout.refunds = [...(checkout.refunds ?? []), refund];
    checkout.updatedAt = this.time;
    return refund;
  }

  deactivate(checkout: CheckoutRecord): void {
    this.#move(checkout, 'DEACTIVATED');
  }

  #in(id: string, status: CoinbaseStatus): CheckoutRecord {
    const checkout = this.checkout(id);
    if (checkout.status !== status) throw new Error(`The checkout ${id} is ${checkout.status}`);
    return checkout;
  }

  #pendingRefund(refundId: string): [CheckoutRecord, RefundRecord] {
    for (const checkout of this.checkouts.values()) {
      const refund = checkout.refunds?.find(({ id }) => id === refundId);
      if (refund?.status === 'PENDING') return [checkout, refund];
    }
    throw new Error(`No refund ${refundId} is pending`);
  }

  #move(checkout: CheckoutRecord, status: CoinbaseStatus, eventType?: string): void {
    checkout.status = status;
    checkout.updatedAt = this.time;
    if (!eventType) return;
    const eventId = this.uniqueHex(32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    this.events.push({ eventId, eventType, body: structuredClone({ ...checkout, eventType }) });
  }

  #closeLate(): void {
    for (const checkout of this.checkouts.values())
      if (checkout.status === 'ACTIVE' && checkout.expiresAt <= this.time)
        this.#move(checkout, 'EXPIRED', 'checkout.payment.expired');
  }
}

/** Converts an amount with at most two decimals to cents. */
export function centsOf(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
}

export function amountOf(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

/** The sum of the refunds in these states, in cents. */
export function sumOf({ refunds = [] }: CheckoutRecord, states: RefundRecord['status'][]): bigint {
  return refunds
    .filter(({ status }) => states.includes(status))
    .reduce((sum, { amount }) => sum + centsOf(amount), 0n);
}
