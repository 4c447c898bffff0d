import { StripeApiError } from './api-error.ts';
import { StripeBooks } from './books.ts';
import type {
  ChargeRecord,
  ConnectedRecord,
  CustomerRecord,
  DisputeRecord,
  EventRecord,
  FileRecord,
  IntentRecord,
  OutgoingRecord,
  RefundRecord,
  ReversalRecord,
  SessionRecord,
  TransferRecord,
} from './records.ts';
import { sessionJson } from './serialization.ts';

export const API_VERSION = '2026-10-28.endive';

/** The state of one mode (test or live) of a fake Stripe account, and what changes with time. */
export class StripeAccount {
  readonly id: string;
  readonly livemode: boolean;
  readonly sessions = new Map<string, SessionRecord>();
  readonly intents = new Map<string, IntentRecord>();
  readonly customers = new Map<string, CustomerRecord>();
  readonly charges = new Map<string, ChargeRecord>();
  readonly refunds = new Map<string, RefundRecord>();
  readonly disputes = new Map<string, DisputeRecord>();
  readonly outgoing = new Map<string, OutgoingRecord>();
  readonly files = new Map<string, FileRecord>();
  readonly transfers = new Map<string, TransferRecord>();
  readonly reversals = new Map<string, ReversalRecord>();
  readonly connected = new Map<string, ConnectedRecord>();
  readonly books = new StripeBooks(
    (prefix) => this.uniqueId(prefix),
    () => this.seconds,
  );
  /** how often the balance is paid out to the bank */
  payoutInterval: 'manual' | 'daily' = 'manual';
  /** what the account may be paid with, beside cards */
  capabilities: Record<string, 'active' | 'inactive' | 'pending'> = {
    us_bank_account_ach_payments: 'active',
    us_bank_transfer_payments: 'active',
  };
  /** how long a payment stays in the pending balance */
  availableAfterSeconds = 0;
  /** All events in order. Nothing is delivered automatically. */
  readonly events: EventRecord[] = [];
  readonly #now: () => Date;
  #count = 0;

  constructor(livemode: boolean, now: () => Date, id = 'acct_1DoubleOfStripe') {
    this.id = id;
    this.livemode = livemode;
    this.#now = now;
  }

  /** Unix seconds. */
  get seconds(): number {
    return Math.floor(this.#now().getTime() / 1000);
  }

  /** A unique id with this prefix, such as `cs_test_1…`. */
  uniqueId(prefix: string): string {
    this.#count += 1;
    return `${prefix}_1DoubleOfStripe${String(this.#count).padStart(8, '0')}`;
  }

  /** @throws StripeRefusal `resource_missing` */
  session(id: string): SessionRecord {
    this.#closeLate();
    const found = this.sessions.get(id);
    if (!found) throw StripeApiError.missing('checkout.session', id);
    return found;
  }

  /** @throws StripeRefusal when the session is not open (anymore) */
  openSession(id: string): SessionRecord {
    const session = this.session(id);
    if (session.status !== 'open')
      throw StripeApiError.invalidState(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    return session;
  }

  close(session: SessionRecord): void {
    session.status = 'expired';
    session.url = null;
    this.recordEvent('checkout.session.expired', sessionJson(this, session));
  }

  /** Records an event with a snapshot of the object. */
  recordEvent(type: string, object: object): void {
    this.events.push({
      id: this.uniqueId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.seconds,
      livemode: this.livemode,
      pending_webhooks: 1,
      type,
      data: { object: structuredClone(object) },
    });
  }

  chargeOf(intent: IntentRecord): ChargeRecord | null {
    return this.charges.get(intent.latest_charge ?? '') ?? null;
  }

  refundsOf(intent: string): RefundRecord[] {
    return [...this.refunds.values()].filter((refund) => refund.payment_intent === intent).reverse();
  }

  disputesOf(intent: string): DisputeRecord[] {
    return [...this.disputes.values()].filter((dispute) => dispute.payment_intent === intent).reverse();
  }

  #closeLate(): void {
    for (const session of this.sessions.values())
      if (session.status === 'open' && session.expires_at <= this.seconds) this.close(session);
  }
}
