import Stripe from 'stripe';
import { cutText } from '#platform/cut-text.ts';
import { unixSeconds } from '../checkout-request.ts';
import { type CheckoutRequest, type EvidenceFile, PaymentError } from '../port.ts';
import { CANCELED_AT, paymentIntentOf, type StripeCheckoutDetails } from './checkout.ts';

/** The SDK's wait before its first retry. */
const RETRY_DELAY_MS = 500;

/** The refund reasons that Stripe accepts; others go into the metadata. */
const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export interface StripeClientOptions {
  secretKey: string;
  /** an origin such as `https://api.stripe.com`; only set in tests */
  apiBase: string | undefined;
  callTimeoutMs: number;
}

/** The SDK, so that a call and its one retry fit into the time limit. */
export const openSdk = ({ secretKey, apiBase, callTimeoutMs }: StripeClientOptions): Stripe =>
  new Stripe(secretKey, {
    maxNetworkRetries: 1,
    timeout: Math.max(50, Math.floor((callTimeoutMs - RETRY_DELAY_MS) / 2)),
    telemetry: false,
    ...(apiBase ? hostOptions(apiBase) : {}),
  });

/** The Stripe API calls that a sale needs; each validates the type and mode of the response. */
export class StripeClient {
  readonly #stripe: Stripe;
  readonly #livemode: boolean;

  constructor(options: StripeClientOptions, livemode: boolean) {
    this.#livemode = livemode;
    this.#stripe = openSdk(options);
  }

  /**
   * Creates a session with one line item per part of the price; its metadata links it to the sale.
   * @param bankDebits whether it can be paid by a bank debit, beside cards
   */
  async create(
    request: CheckoutRequest,
    { bankDebits }: { bankDebits: boolean },
    idempotencyKey: string,
  ): Promise<Stripe.Checkout.Session> {
    const { saleId, lines, description, buyerEmail, successUrl, cancelUrl, expiresAt } = request;
    const metadata = { sale_id: saleId };
    const session = await this.#stripe.checkout.sessions.create(
      {
        mode: 'payment',
        ui_mode: 'hosted_page',
        allowed_payment_method_types: bankDebits ? ['card', 'us_bank_account'] : ['card'],
        // Accounts entered by hand are verified by small deposits, which take days in which the property is held.
        ...(bankDebits && {
          payment_method_options: { us_bank_account: { verification_method: 'instant' } },
        }),
        line_items: lines.map(({ name, amountCents }) => ({
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name } },
        })),
        client_reference_id: saleId,
        customer_email: buyerEmail,
        metadata,
        payment_intent_data: { description, metadata, transfer_group: `sale_${saleId}` },
        success_url: successUrl,
        cancel_url: cancelUrl,
        expires_at: unixSeconds(expiresAt),
      },
      { idempotencyKey },
    );
    return this.#checked(session, 'checkout.session');
  }

  /** A session with its payment and the payment's fee. */
  async session(ref: string): Promise<Stripe.Checkout.Session> {
    if (!/^cs_\w+$/.test(ref)) throw new PaymentError('not_found', 'This is no name of a Stripe session');
    const expand = ['payment_intent.latest_charge.balance_transaction'];
    return this.#checked(await this.#stripe.checkout.sessions.retrieve(ref, { expand }), 'checkout.session');
  }

  /** A session and, once it is paid, its refunds and disputes. */
  async checkoutDetails(ref: string): Promise<StripeCheckoutDetails> {
    const session = await this.session(ref);
    const intent = paymentIntentOf(session);
    if (session.payment_status !== 'paid' || !intent) return { session, refunds: [], disputes: [] };
    const of = { payment_intent: intent.id, limit: 100 };
    const [refunds, disputes] = await Promise.all([
      this.#stripe.refunds.list(of).then(completeList),
      this.#stripe.disputes.list(of).then(completeList),
    ]);
    return { session, refunds, disputes };
  }

  /** Marks an open session as canceled by us, then expires it; Stripe rejects metadata on an expired session. */
  async expire(ref: string, idempotencyKey: string, at: Date): Promise<void> {
    const sessions = this.#stripe.checkout.sessions;
    const metadata = { [CANCELED_AT]: at.toISOString() };
    this.#checked(await sessions.update(ref, { metadata }), 'checkout.session');
    this.#checked(await sessions.expire(ref, {}, { idempotencyKey }), 'checkout.session');
  }

  /** The refunds of a payment. */
  async refundsOf(intent: string): Promise<Stripe.Refund[]> {
    if (!/^pi_\w+$/.test(intent)) throw new PaymentError('not_found', 'This is no name of a Stripe payment');
    return completeList(await this.#stripe.refunds.list({ payment_intent: intent, limit: 100 }));
  }

  async refund(
    { intent, saleId }: { intent: string | undefined; saleId: string | null },
    { amountCents, reason }: { amountCents: number; reason: string },
    idempotencyKey: string,
  ): Promise<Stripe.Refund> {
    const refund = await this.#stripe.refunds.create(
      {
        payment_intent: intent,
        amount: amountCents,
        reason: REASONS.find((known) => known === reason),
        metadata: {
          key: idempotencyKey,
          sale_id: saleId ?? '',
          reason: cutText(reason, 500),
        },
      },
      { idempotencyKey },
    );
    return checkedObject(refund, 'refund');
  }

  /** Our balance; its mode shows that the key is accepted. */
  async balance(): Promise<Stripe.Balance> {
    const balance = await this.#stripe.balance.retrieve();
    if (balance.object !== 'balance' || balance.livemode !== this.#livemode)
      throw unexpectedResponse(balance);
    return balance;
  }

  /** The account that the key belongs to. */
  async currentAccount(): Promise<Stripe.Account> {
    return checkedObject(await this.#stripe.accounts.retrieveCurrent(), 'account');
  }

  /** A page of what changed our balance since then, in whatever currency, newest first, with what each is about. */
  async balanceTransactions(
    since: Date,
    after: string | undefined,
  ): Promise<Stripe.ApiList<Stripe.BalanceTransaction>> {
    const list = await this.#stripe.balanceTransactions.list({
      created: { gte: unixSeconds(since) },
      expand: ['data.source'],
      limit: 100,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    if (list.object !== 'list' || !Array.isArray(list.data)) throw unexpectedResponse(list);
    return list;
  }

  async dispute(ref: string): Promise<Stripe.Dispute> {
    if (!/^(?:dp|du)_\w+$/.test(ref))
      throw new PaymentError('not_found', 'This is no name of a Stripe dispute');
    return checkedObject(await this.#stripe.disputes.retrieve(ref), 'dispute');
  }

  async answerDispute(ref: string, params: Stripe.DisputeUpdateParams): Promise<Stripe.Dispute> {
    return checkedObject(await this.#stripe.disputes.update(ref, params), 'dispute');
  }

  /** Uploads a file for a dispute and returns its id. One that is uploaded again is another file, which hurts nobody. */
  async uploadEvidence({ name, contentType, bytes }: EvidenceFile): Promise<string> {
    const file = { name, type: contentType, data: bytes };
    return checkedObject(await this.#stripe.files.create({ purpose: 'dispute_evidence', file }), 'file').id;
  }

  #checked(session: Stripe.Checkout.Session, object: 'checkout.session'): Stripe.Checkout.Session {
    if (checkedObject(session, object).livemode !== this.#livemode) throw unexpectedResponse(session);
    return session;
  }
}

/** The SDK returns any JSON without `error`, even from a failed request, so the object type has to be checked. */
export function checkedObject<T extends { id: string; object: string }>(answer: T, object: T['object']): T {
  if (typeof answer.id !== 'string' || answer.object !== object) throw unexpectedResponse(answer);
  return answer;
}

/** All entries of a single-page list; no payment has more than a hundred refunds. */
export function completeList<T>(list: Stripe.ApiList<T>): T[] {
  if (list.object !== 'list' || !Array.isArray(list.data) || list.has_more) throw unexpectedResponse(list);
  return list.data;
}

/** A proxy between Stripe and us may have responded instead; then only the status is meaningful. */
export function unexpectedResponse(answer: object): PaymentError {
  const { lastResponse }: Partial<Stripe.Response<object>> = answer;
  const status = lastResponse?.statusCode;
  const code = status === 429 ? 'rate_limited' : status === 401 || status === 403 ? 'auth' : 'unavailable';
  return new PaymentError(code, `Stripe gave an answer that cannot be understood (${status ?? 'no status'})`);
}

function hostOptions(apiBase: string): { host: string; port: number; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
  };
}
