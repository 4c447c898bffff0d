import type Stripe from 'stripe';
import type { StripeAccount } from './account.ts';
import { StripeApiError } from './api-error.ts';
import type { ChargeRecord, DisputeRecord } from './records.ts';
import type { StripeRefunds } from './refunds.ts';

const DAY_SECONDS = 86_400;
const DISPUTE_FEE = 1_500;
const COUNTER_FEE = 1_500;

/** What the payer's bank disputes: the whole payment unless an amount is given; with `inquiry` it only asks. */
type DisputeOptions = { amountCents?: number; inquiry?: boolean };

/** The disputes of one account: opened and decided by banks, answered through its API. */
export class StripeDisputes {
  readonly #account: StripeAccount;
  readonly #refunds: StripeRefunds;

  constructor(account: StripeAccount, refunds: StripeRefunds) {
    this.#account = account;
    this.#refunds = refunds;
  }

  /** A returned bank transfer is lost at once; a card dispute can be contested. */
  open(
    charge: ChargeRecord,
    { amountCents = charge.amount, inquiry = false }: DisputeOptions,
  ): DisputeRecord {
    const account = this.#account;
    const isCard = charge.method === 'card';
    this.#requireDisputable(charge, amountCents, inquiry);
    const dispute: DisputeRecord = {
      id: account.uniqueId('du'),
      object: 'dispute',
      amount: amountCents,
      charge: charge.id,
      created: account.seconds,
      currency: charge.currency,
      evidence_details: { due_by: isCard ? account.seconds + 9 * DAY_SECONDS : null, submission_count: 0 },
      livemode: charge.livemode,
      metadata: {},
      payment_intent: charge.payment_intent,
      reason: isCard ? 'fraudulent' : 'debit_not_authorized',
      status: inquiry ? 'warning_needs_response' : isCard ? 'needs_response' : 'lost',
      evidence: {},
    };
    charge.disputed = true;
    account.disputes.set(dispute.id, dispute);
    this.#refunds.failWaiting(charge.payment_intent);
    if (!inquiry) this.#withdraw(dispute);
    this.#announce('created', dispute);
    if (!isCard) this.#announce('closed', dispute);
    return dispute;
  }

  #requireDisputable(charge: ChargeRecord, amount: number, inquiry: boolean): void {
    const disputed = this.#account
      .disputesOf(charge.payment_intent)
      .filter(({ status }) => status !== 'won' && status !== 'warning_closed')
      .reduce((sum, dispute) => sum + dispute.amount, 0);
    const refunded = this.#account
      .refundsOf(charge.payment_intent)
      .filter((refund) => refund.status !== 'failed' && refund.pending_reason !== 'insufficient_funds')
      .reduce((sum, refund) => sum + refund.amount, 0);
    if (amount < 1 || disputed + amount > charge.amount) throw new Error(`${charge.id} is disputed already`);
    if (charge.method === 'card' && refunded === charge.amount)
      throw new Error(`${charge.id} was refunded in full`);
    if (charge.method !== 'card' && (inquiry || amount !== charge.amount))
      throw new Error('A bank transfer is returned whole or not at all');
  }

  /** An inquiry becomes a chargeback. */
  escalate(id: string): void {
    const dispute = this.find(id);
    if (!dispute.status.startsWith('warning_') || dispute.status === 'warning_closed')
      throw new Error(`The dispute ${id} is ${dispute.status}`);
    dispute.status = 'needs_response';
    dispute.evidence_details.due_by = this.#account.seconds + 9 * DAY_SECONDS;
    this.#withdraw(dispute);
    this.#announce('updated', dispute);
  }

  /** The bank decides; a lost dispute sometimes gives a part back. */
  close(id: string, status: 'won' | 'lost', returnedCents?: number): void {
    const dispute = this.find(id);
    const isInquiry = dispute.status.startsWith('warning_');
    if (['won', 'lost', 'warning_closed'].includes(dispute.status) || (isInquiry && status === 'lost'))
      throw new Error(`The dispute ${id} is ${dispute.status}`);
    dispute.status = isInquiry ? 'warning_closed' : status;
    const back = returnedCents ?? (status === 'won' && !isInquiry ? dispute.amount : 0);
    if (back > 0)
      this.#account.books.record({
        type: 'adjustment',
        reporting_category: 'dispute_reversal',
        amount: back,
        source: id,
      });
    const isContested = dispute.evidence_details.submission_count > 0;
    if (status === 'won' && !isInquiry && isContested) this.#charge(dispute, -COUNTER_FEE);
    this.#announce('closed', dispute);
  }

  /** What nobody answers in time is lost. */
  loseUnanswered(): void {
    for (const { id, status, evidence_details: details } of this.#account.disputes.values())
      if (status === 'needs_response' && details.due_by && details.due_by <= this.#account.seconds)
        this.close(id, 'lost');
  }

  /** @throws StripeRefusal unless an answer is expected */
  answer(id: string, { evidence = {}, metadata, submit = true }: Stripe.DisputeUpdateParams): DisputeRecord {
    const dispute = this.find(id);
    if (!dispute.status.endsWith('needs_response'))
      throw StripeApiError.invalidState('This dispute is already closed or under review.');
    dispute.metadata = { ...dispute.metadata, ...metadata } as Stripe.Metadata;
    for (const [field, value] of Object.entries(evidence)) {
      if (typeof value !== 'string' || value.length > 20_000)
        throw StripeApiError.invalidParameter(`evidence[${field}]`, 'Invalid string');
      dispute.evidence[field] = value;
    }
    if (!submit) return dispute;
    const isInquiry = dispute.status.startsWith('warning_');
    dispute.status = isInquiry ? 'warning_under_review' : 'under_review';
    dispute.evidence_details.submission_count += 1;
    if (!isInquiry) this.#charge(dispute, COUNTER_FEE);
    this.#announce('updated', dispute);
    return dispute;
  }

  /** @throws StripeRefusal `resource_missing` */
  find(id: string): DisputeRecord {
    const dispute = this.#account.disputes.get(id);
    if (!dispute) throw StripeApiError.missing('dispute', id);
    return dispute;
  }

  /** As the API returns it: with everything that it has moved. */
  json(dispute: DisputeRecord): object {
    return { ...dispute, balance_transactions: this.#account.books.about(dispute.id) };
  }

  #withdraw({ id, amount }: DisputeRecord): void {
    const entry = { type: 'adjustment', reporting_category: 'dispute' } as const;
    this.#account.books.record({ ...entry, amount: -amount, fee: DISPUTE_FEE, source: id });
  }

  #charge({ id }: DisputeRecord, fee: number): void {
    const entry = { type: 'stripe_fee', reporting_category: 'fee' } as const;
    this.#account.books.record({ ...entry, amount: -fee, source: id });
  }

  #announce(what: 'created' | 'updated' | 'closed', dispute: DisputeRecord): void {
    this.#account.recordEvent(`charge.dispute.${what}`, this.json(dispute));
  }
}
