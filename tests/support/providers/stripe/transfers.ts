import type { StripeAccount } from './account.ts';
import { StripeApiError } from './api-error.ts';
import type { ChargeRecord, CustomerRecord, IntentRecord } from './records.ts';
import { chargeJson, intentJson } from './serialization.ts';

/** Bank transfers to customers, and what Stripe does with them by itself: automatic reconciliation. */
export class StripeTransfers {
  readonly #account: StripeAccount;

  constructor(account: StripeAccount) {
    this.#account = account;
  }

  /** The payer's bank sends money to the customer's account number. */
  send(customerId: string, cents: number): void {
    this.customer(customerId).cashCents += cents;
    this.reconcile(customerId);
  }

  /** Applies what Stripe holds for a customer to what waits: an exact amount first, then the oldest, the last one in part. */
  reconcile(customerId: string): void {
    const customer = this.customer(customerId);
    const missing = ({ amount, transfer }: IntentRecord) => amount - (transfer?.receivedCents ?? 0);
    const waiting = this.intentsOf(customerId).filter(({ status }) => status === 'requires_action');
    const exact = waiting.find((intent) => missing(intent) === customer.cashCents);
    for (const intent of exact ? [exact] : waiting) {
      const applied = Math.min(customer.cashCents, missing(intent));
      if (applied === 0 || !intent.transfer) continue;
      customer.cashCents -= applied;
      intent.transfer.receivedCents += applied;
      if (missing(intent) > 0)
        this.#account.recordEvent('payment_intent.partially_funded', intentJson(this.#account, intent));
      else this.#succeed(intent);
    }
  }

  /** What it had received returns to the customer's cash balance, and from there to what still waits. */
  cancel(id: string): IntentRecord {
    const intent = this.#account.intents.get(id);
    if (!intent) throw StripeApiError.missing('payment_intent', id);
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw StripeApiError.invalidState(
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        'payment_intent_unexpected_state',
      );
    intent.status = 'canceled';
    if (intent.transfer) {
      this.customer(intent.transfer.customer).cashCents += intent.transfer.receivedCents;
      intent.transfer.receivedCents = 0;
      this.#account.recordEvent('payment_intent.canceled', intentJson(this.#account, intent));
      this.reconcile(intent.transfer.customer);
    }
    return intent;
  }

  /** What Stripe holds for a customer goes back to where it came from; our balance is not touched. */
  returnCash(customerId: string, cents: number): object {
    const customer = this.customer(customerId);
    if (cents < 1 || cents > customer.cashCents)
      throw StripeApiError.invalidParameter('amount', 'The cash balance does not cover it.');
    customer.cashCents -= cents;
    const id = this.#account.uniqueId('re');
    return { id, object: 'refund', amount: cents, currency: 'usd', status: 'pending', metadata: {} };
  }

  customer(id: string): CustomerRecord {
    const customer = this.#account.customers.get(id);
    if (!customer) throw StripeApiError.missing('customer', id);
    return customer;
  }

  /** In order of creation. */
  intentsOf(customerId: string): IntentRecord[] {
    return [...this.#account.intents.values()].filter(({ transfer }) => transfer?.customer === customerId);
  }

  #succeed(intent: IntentRecord): void {
    const { amount, currency, livemode, metadata } = intent;
    const id = this.#account.uniqueId('ch');
    const charge: ChargeRecord = {
      id,
      object: 'charge',
      amount,
      created: this.#account.seconds,
      currency,
      disputed: false,
      livemode,
      method: 'customer_balance',
      payment_intent: intent.id,
      receipt_url: null,
      metadata,
      balance_transaction: this.#account.books.record({
        type: 'payment',
        reporting_category: 'charge',
        amount,
        fee: Math.min(Math.round(amount * 0.005), 500),
        source: id,
        available_on: this.#account.seconds + this.#account.availableAfterSeconds,
      }),
    };
    this.#account.charges.set(id, charge);
    intent.latest_charge = id;
    intent.status = 'succeeded';
    this.#account.recordEvent('charge.succeeded', chargeJson(this.#account, charge));
    this.#account.recordEvent('payment_intent.succeeded', intentJson(this.#account, intent));
  }
}
