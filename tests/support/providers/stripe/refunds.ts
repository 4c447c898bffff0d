import type { StripeAccount } from './account.ts';
import { StripeApiError } from './api-error.ts';
import type { ChargeRecord, RefundRecord } from './records.ts';
import { chargeJson } from './serialization.ts';

const BANK_REFUND_SECONDS = 180 * 86_400;

/** A refund to make, of everything that is left unless an amount is given. */
type Order = Pick<RefundRecord, 'metadata' | 'reason'> & { amount: number | undefined };

/** The refunds of one account: made by its API or in its dashboard, ended by banks. */
export class StripeRefunds {
  /** false: refunds beyond the available balance wait for it, as without a bank account to debit */
  coversShortfall = true;
  readonly #account: StripeAccount;
  readonly #initial: 'pending' | 'succeeded';

  /** `initial`: the status of refunds that have just left; card refunds mostly succeed at once, others are pending. */
  constructor(account: StripeAccount, initial: 'pending' | 'succeeded') {
    this.#account = account;
    this.#initial = initial;
  }

  /** @throws StripeRefusal when the payment cannot be refunded by that amount */
  create(charge: ChargeRecord, { amount: asked, metadata, reason }: Order): RefundRecord {
    const account = this.#account;
    const amount = this.#refundable(charge, asked);
    const waits = !this.coversShortfall && amount > account.books.available;
    const refund: RefundRecord = {
      id: account.uniqueId('re'),
      object: 'refund',
      amount,
      charge: charge.id,
      created: account.seconds,
      currency: charge.currency,
      metadata,
      payment_intent: charge.payment_intent,
      reason,
      status: waits ? 'pending' : this.#initial,
      ...(waits ? { pending_reason: 'insufficient_funds' } : {}),
    };
    account.refunds.set(refund.id, refund);
    if (!waits) this.#leave(refund);
    account.recordEvent('refund.created', refund);
    account.recordEvent('charge.refunded', chargeJson(account, charge));
    return refund;
  }

  #refundable(charge: ChargeRecord, asked: number | undefined): number {
    const account = this.#account;
    const charged = account.disputesOf(charge.payment_intent);
    if (charged.some(({ status }) => status !== 'won' && !status.startsWith('warning_')))
      throw StripeApiError.invalidState(
        `Charge ${charge.id} has been charged back; cannot issue a refund.`,
        'charge_disputed',
      );
    if (charge.method !== 'card' && account.seconds > charge.created + BANK_REFUND_SECONDS)
      throw StripeApiError.invalidState('This payment is too old to be refunded.');
    const refunded = account.refundsOf(charge.payment_intent).filter(({ status }) => status !== 'failed');
    const refundable = charge.amount - refunded.reduce((sum, { amount }) => sum + amount, 0);
    const amount = asked ?? refundable;
    if (amount < 1)
      throw StripeApiError.invalidParameter('amount', 'This value must be greater than or equal to 1.');
    if (refundable === 0)
      throw StripeApiError.invalidState(
        `Charge ${charge.id} has already been refunded.`,
        'charge_already_refunded',
      );
    if (amount > refundable)
      throw StripeApiError.invalidState(
        `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(refundable)})`,
      );
    return amount;
  }

  settle(id: string): void {
    this.#end(id, ['pending', 'requires_action'], 'succeeded');
  }

  /** The bank sends a refund back, even one that had succeeded. */
  fail(id: string): void {
    this.#end(id, ['pending', 'requires_action', 'succeeded'], 'failed');
  }

  /** The buyer has to say where the money shall go. */
  hold(id: string): void {
    const refund = this.#refund(id);
    if (refund.status !== 'pending') throw new Error(`The refund ${id} is ${refund.status}`);
    refund.status = 'requires_action';
    this.#account.recordEvent('refund.updated', refund);
  }

  /** Sends the refunds that waited, as far as the balance now covers them. */
  releaseWaiting(): void {
    for (const refund of this.#account.refunds.values())
      if (isWaiting(refund) && refund.amount <= this.#account.books.available) {
        refund.pending_reason = 'processing';
        this.#leave(refund);
      }
  }

  /** A refund that still waits fails when its payment is disputed. */
  failWaiting(paymentIntent: string): void {
    for (const refund of this.#account.refundsOf(paymentIntent))
      if (isWaiting(refund)) this.#end(refund.id, ['pending'], 'failed');
  }

  #leave({ id, amount }: RefundRecord): void {
    const entry = { type: 'refund', reporting_category: 'refund' } as const;
    this.#account.books.record({ ...entry, amount: -amount, source: id });
  }

  #end(id: string, from: RefundRecord['status'][], status: 'succeeded' | 'failed'): void {
    const refund = this.#refund(id);
    const waited = isWaiting(refund);
    if (!from.includes(refund.status) || (waited && status === 'succeeded'))
      throw new Error(`The refund ${id} is ${refund.status}`);
    refund.status = status;
    delete refund.pending_reason;
    if (status === 'failed' && !waited)
      this.#account.books.record({
        type: 'refund_failure',
        reporting_category: 'refund_failure',
        amount: refund.amount,
        source: id,
      });
    this.#account.recordEvent(status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  }

  #refund(id: string): RefundRecord {
    const refund = this.#account.refunds.get(id);
    if (!refund) throw new Error(`No refund ${id}`);
    return refund;
  }
}

const isWaiting = (refund: RefundRecord) => refund.pending_reason === 'insufficient_funds';

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
