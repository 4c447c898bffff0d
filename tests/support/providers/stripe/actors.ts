import type { StripeAccount } from './account.ts';
import { StripeApiError } from './api-error.ts';
import { StripeDisputes } from './disputes.ts';
import type { ChargeRecord, IntentRecord, OutgoingRecord, RefundRecord, SessionRecord } from './records.ts';
import { StripeRefunds } from './refunds.ts';
import { chargeJson, intentJson, sessionJson } from './serialization.ts';
import { StripeTransfers } from './transfers.ts';

type Method = Exclude<ChargeRecord['method'], 'customer_balance'>;

/** The actions of the buyer on Stripe's page and of the banks behind it, on one account. */
export class StripeActors {
  readonly refunds: StripeRefunds;
  readonly transfers: StripeTransfers;
  readonly disputes: StripeDisputes;
  readonly #account: StripeAccount;
  readonly #bankLimitCents: number;

  /** `bankLimitCents`: the most that this account may receive in one bank transfer. */
  constructor(account: StripeAccount, bankLimitCents: number, refunds: 'pending' | 'succeeded') {
    this.#account = account;
    this.refunds = new StripeRefunds(account, refunds);
    this.transfers = new StripeTransfers(account);
    this.disputes = new StripeDisputes(account, this.refunds);
    this.#bankLimitCents = bankLimitCents;
  }

  /** The buyer pays by card; the payment succeeds immediately. */
  pay(ref: string): void {
    const session = this.#onPage(ref, 'card');
    const intent = this.#begin(session);
    this.#succeed(session, intent, 'card');
    this.#account.recordEvent('checkout.session.completed', sessionJson(this.#account, session));
  }

  /** The buyer's card is declined. The page stays open for another one. */
  declineCard(ref: string): void {
    const session = this.#onPage(ref, 'card');
    this.#fail(session);
  }

  /**
   * The buyer submits a bank transfer, which stays pending.
   * @throws StripeRefusal `charge_exceeds_transaction_limit` above the account's limit
   */
  submitTransfer(ref: string): void {
    const session = this.#onPage(ref, 'us_bank_account');
    if ((session.amount_total ?? 0) > this.#bankLimitCents) {
      this.#fail(session);
      throw StripeApiError.invalidState(
        'The payment exceeds the transaction limit of the account.',
        'charge_exceeds_transaction_limit',
      );
    }
    this.#begin(session);
    this.#account.recordEvent('checkout.session.completed', sessionJson(this.#account, session));
  }

  /** The bank transfer succeeds. */
  settleTransfer(ref: string): void {
    const [session, intent] = this.#underway(ref);
    this.#succeed(session, intent, 'us_bank_account');
    this.#account.recordEvent(
      'checkout.session.async_payment_succeeded',
      sessionJson(this.#account, session),
    );
  }

  /** The bank transfer fails. */
  bounceTransfer(ref: string): void {
    const [session, intent] = this.#underway(ref);
    intent.status = 'requires_payment_method';
    this.#account.recordEvent('payment_intent.payment_failed', intentJson(this.#account, intent));
    this.#account.recordEvent('checkout.session.async_payment_failed', sessionJson(this.#account, session));
  }

  /** A refund made in the dashboard: nobody asked for it through the API. */
  refundInDashboard(ref: string, amount: number): RefundRecord {
    return this.refunds.create(this.#chargeOf(ref), {
      amount,
      metadata: {},
      reason: 'requested_by_customer',
    });
  }

  /** The payer's bank disputes the payment, or asks about it. */
  dispute(ref: string, options: Parameters<StripeDisputes['open']>[1] = {}): string {
    return this.disputes.open(this.#chargeOf(ref), options).id;
  }

  /** Money is sent to our bank, or for a sale to another account. */
  send(object: OutgoingRecord['object'], amount: number, saleId?: string): string {
    const { books, outgoing, uniqueId } = this.#account;
    if (amount > books.available) throw new Error('You have insufficient available funds.');
    const id = uniqueId.call(this.#account, object === 'payout' ? 'po' : 'tr');
    outgoing.set(id, { id, object, amount, metadata: saleId === undefined ? {} : { sale_id: saleId } });
    books.record({ type: object, reporting_category: object, amount: -amount, source: id });
    return id;
  }

  /** It comes back: the bank does not know the account, or we reversed it. */
  sendBack(id: string): void {
    const sent = this.#account.outgoing.get(id);
    if (!sent || this.#account.books.about(id).length > 1) throw new Error(`${id} is not out`);
    const isPayout = sent.object === 'payout';
    this.#account.books.record({
      type: isPayout ? 'payout_failure' : 'transfer_refund',
      reporting_category: isPayout ? 'payout_reversal' : 'transfer_reversal',
      amount: sent.amount,
      source: id,
    });
  }

  /** What Stripe does by itself as time passes. */
  passTime(): void {
    this.refunds.releaseWaiting();
    this.disputes.loseUnanswered();
  }

  #onPage(ref: string, method: Method): SessionRecord {
    const session = this.#account.session(ref);
    if (session.status !== 'open') throw new Error(`The page of ${ref} is ${session.status}`);
    if (!session.methods.includes(method)) throw new Error(`${ref} cannot be paid by ${method}`);
    return session;
  }

  #begin(session: SessionRecord): IntentRecord {
    const intent = this.#intentOf(session);
    intent.status = 'processing';
    session.status = 'complete';
    session.url = null;
    return intent;
  }

  #fail(session: SessionRecord): void {
    const intent = this.#intentOf(session);
    this.#account.recordEvent('payment_intent.payment_failed', intentJson(this.#account, intent));
  }

  /** The payment intent of a session is created with the first attempt to pay. */
  #intentOf(session: SessionRecord): IntentRecord {
    const before = this.#account.intents.get(session.payment_intent ?? '');
    if (before) return before;
    const intent: IntentRecord = {
      id: this.#account.uniqueId('pi'),
      object: 'payment_intent',
      amount: session.amount_total ?? 0,
      created: this.#account.seconds,
      currency: session.currency ?? 'usd',
      latest_charge: null,
      livemode: session.livemode,
      status: 'requires_payment_method',
      session: session.id,
      ...session.intent,
    };
    this.#account.intents.set(intent.id, intent);
    session.payment_intent = intent.id;
    return intent;
  }

  #succeed(session: SessionRecord, intent: IntentRecord, method: Method): void {
    const { amount, currency, livemode } = intent;
    const fee =
      method === 'card' ? Math.round(amount * 0.029) + 30 : Math.min(Math.round(amount * 0.008), 500);
    const id = this.#account.uniqueId('ch');
    const charge: ChargeRecord = {
      id,
      object: 'charge',
      amount,
      created: this.#account.seconds,
      currency,
      disputed: false,
      livemode,
      method,
      payment_intent: intent.id,
      receipt_url: `https://pay.stripe.com/receipts/payment/${id}`,
      metadata: intent.metadata,
      balance_transaction: this.#account.books.record({
        type: method === 'card' ? 'charge' : 'payment',
        reporting_category: 'charge',
        amount,
        fee,
        source: id,
        available_on: this.#account.seconds + this.#account.availableAfterSeconds,
      }),
    };
    this.#account.charges.set(id, charge);
    intent.latest_charge = id;
    intent.status = 'succeeded';
    session.payment_status = 'paid';
    this.#account.recordEvent('charge.succeeded', chargeJson(this.#account, charge));
    this.#account.recordEvent('payment_intent.succeeded', intentJson(this.#account, intent));
  }

  #underway(ref: string): [SessionRecord, IntentRecord] {
    const session = this.#account.session(ref);
    const intent = this.#account.intents.get(session.payment_intent ?? '');
    if (intent?.status !== 'processing') throw new Error(`No transfer of ${ref} is on its way`);
    return [session, intent];
  }

  #chargeOf(ref: string): ChargeRecord {
    const intent = this.#account.intents.get(this.#account.session(ref).payment_intent ?? '');
    const charge = intent && this.#account.chargeOf(intent);
    if (!charge) throw new Error(`${ref} is not paid`);
    return charge;
  }
}
