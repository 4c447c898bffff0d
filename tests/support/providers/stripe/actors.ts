import type { StripeAccount } from './account.ts';
import { StripeApiError } from './api-error.ts';
import type { ChargeRecord, IntentRecord, SessionRecord } from './records.ts';
import { chargeJson, intentJson, sessionJson } from './serialization.ts';

type Method = ChargeRecord['method'];

const DAY_SECONDS = 86_400;

/** The actions of the buyer on Stripe's page and of the banks behind it, on one account. */
export class StripeActors {
  readonly #account: StripeAccount;
  readonly #bankLimitCents: number;

  /** `bankLimitCents`: the most that this account may receive in one bank transfer. */
  constructor(account: StripeAccount, bankLimitCents: number) {
    this.#account = account;
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

  settleRefund(ref: string): void {
    this.#moveRefund(ref, 'succeeded', 'refund.updated');
  }

  failRefund(ref: string): void {
    this.#moveRefund(ref, 'failed', 'refund.failed');
  }

  /** The payer disputes the payment. A returned bank transfer is lost at once; a card dispute can be contested. */
  dispute(ref: string): void {
    const charge = this.#chargeOf(ref);
    if (charge.disputed) throw new Error(`${ref} is disputed already`);
    const isCard = charge.method === 'card';
    const dispute = {
      id: this.#account.uniqueId('du'),
      object: 'dispute' as const,
      amount: charge.amount,
      balance_transactions: [],
      charge: charge.id,
      created: this.#account.seconds,
      currency: charge.currency,
      evidence_details: { due_by: isCard ? this.#account.seconds + 9 * DAY_SECONDS : null },
      livemode: charge.livemode,
      payment_intent: charge.payment_intent,
      reason: isCard ? 'fraudulent' : 'debit_not_authorized',
      status: isCard ? ('needs_response' as const) : ('lost' as const),
    };
    charge.disputed = true;
    this.#account.disputes.set(dispute.id, dispute);
    this.#account.recordEvent('charge.dispute.created', dispute);
  }

  closeDispute(ref: string, status: 'won' | 'lost'): void {
    const dispute = this.#account.disputesOf(this.#chargeOf(ref).payment_intent)[0];
    if (dispute?.status !== 'needs_response') throw new Error(`${ref} has no open dispute`);
    dispute.status = status;
    this.#account.recordEvent('charge.dispute.closed', dispute);
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
      balance_transaction: {
        id: this.#account.uniqueId('txn'),
        object: 'balance_transaction',
        amount,
        fee,
        net: amount - fee,
        currency,
      },
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

  #moveRefund(ref: string, status: 'succeeded' | 'failed', type: string): void {
    const refund = this.#account.refunds.get(ref);
    if (!refund) throw new Error(`No refund ${ref}`);
    const isLate = status === 'failed' && refund.status === 'succeeded';
    if (refund.status !== 'pending' && !isLate) throw new Error(`The refund ${ref} is ${refund.status}`);
    refund.status = status;
    this.#account.recordEvent(type, refund);
  }
}
