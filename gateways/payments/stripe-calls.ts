import Stripe from 'stripe';
import { unixSeconds } from './checkout-request.ts';
import { type CheckoutRequest, PaymentError } from './port.ts';
import { CANCELED_AT, intentOf, type StripeFacts } from './stripe-state.ts';

/** How long the SDK waits at most before it repeats a request. */
const PAUSE_MS = 1_000;

/** What Stripe allows as the reason of a refund; others go into its metadata. */
const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export interface StripeAccess {
  secretKey: string;
  /** an origin such as `https://api.stripe.com`; only doubles lie elsewhere */
  apiBase: string | undefined;
  callMs: number;
}

/** The calls to Stripe that a sale needs, each with the check that the answer is what was asked for. */
export class StripeCalls {
  readonly #stripe: Stripe;
  readonly #livemode: boolean;

  constructor({ secretKey, apiBase, callMs }: StripeAccess, livemode: boolean) {
    this.#livemode = livemode;
    this.#stripe = new Stripe(secretKey, {
      maxNetworkRetries: 1,
      timeout: Math.max(50, Math.floor((callMs - PAUSE_MS) / 2)),
      telemetry: false,
      ...(apiBase ? placeOf(apiBase) : {}),
    });
  }

  /** One line for each part of the price; sale and session know each other in both directions (B-072). */
  async create(request: CheckoutRequest, idempotencyKey: string): Promise<Stripe.Checkout.Session> {
    const { saleId, lines, description, buyerEmail, successUrl, cancelUrl, expiresAt } = request;
    const metadata = { sale_id: saleId };
    const session = await this.#stripe.checkout.sessions.create(
      {
        mode: 'payment',
        ui_mode: 'hosted_page',
        allowed_payment_method_types: ['card', 'us_bank_account'],
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

  /** A session with its payment and that one's fee. */
  async session(ref: string): Promise<Stripe.Checkout.Session> {
    if (!/^cs_\w+$/.test(ref)) throw new PaymentError('not_found', 'This is no name of a Stripe session');
    const expand = ['payment_intent.latest_charge.balance_transaction'];
    return this.#checked(await this.#stripe.checkout.sessions.retrieve(ref, { expand }), 'checkout.session');
  }

  /** A session, and once it is paid what came back of the money. */
  async facts(ref: string): Promise<StripeFacts> {
    const session = await this.session(ref);
    const intent = intentOf(session);
    if (session.payment_status !== 'paid' || !intent) return { session, refunds: [], disputes: [] };
    const of = { payment_intent: intent.id, limit: 100 };
    const charge = intent.latest_charge;
    const isDisputed = typeof charge === 'object' && charge?.disputed === true;
    const [refunds, disputes] = await Promise.all([
      this.#stripe.refunds.list(of).then(wholeList),
      isDisputed ? this.#stripe.disputes.list(of).then(wholeList) : [],
    ]);
    return { session, refunds, disputes };
  }

  /** Marks an open session as closed by us, then closes it; the mark comes first because it is refused afterwards. */
  async expire(ref: string, idempotencyKey: string, at: Date): Promise<void> {
    const sessions = this.#stripe.checkout.sessions;
    const metadata = { [CANCELED_AT]: at.toISOString() };
    this.#checked(await sessions.update(ref, { metadata }), 'checkout.session');
    this.#checked(await sessions.expire(ref, {}, { idempotencyKey }), 'checkout.session');
  }

  async refund(
    session: Stripe.Checkout.Session,
    { amountCents, reason }: { amountCents: number; reason: string },
    idempotencyKey: string,
  ): Promise<Stripe.Refund> {
    const refund = await this.#stripe.refunds.create(
      {
        payment_intent: intentOf(session)?.id,
        amount: amountCents,
        reason: REASONS.find((known) => known === reason),
        metadata: {
          key: idempotencyKey,
          sale_id: session.client_reference_id ?? '',
          reason: reason.slice(0, 500),
        },
      },
      { idempotencyKey },
    );
    return checkedObject(refund, 'refund');
  }

  async balance(): Promise<void> {
    const balance = await this.#stripe.balance.retrieve();
    if (balance.object !== 'balance' || balance.livemode !== this.#livemode) throw notUnderstood(balance);
  }

  #checked(session: Stripe.Checkout.Session, object: 'checkout.session'): Stripe.Checkout.Session {
    if (checkedObject(session, object).livemode !== this.#livemode) throw notUnderstood(session);
    return session;
  }
}

/** The SDK hands out any JSON that has no `error`, even of a failed request: what it is has to be looked at. */
function checkedObject<T extends { id: string; object: string }>(answer: T, object: T['object']): T {
  if (typeof answer.id !== 'string' || answer.object !== object) throw notUnderstood(answer);
  return answer;
}

/** All entries of a list; nobody gives one payment back in more than a hundred parts. */
function wholeList<T>(list: Stripe.ApiList<T>): T[] {
  if (list.object !== 'list' || !Array.isArray(list.data) || list.has_more) throw notUnderstood(list);
  return list.data;
}

/** Something between Stripe and us may have answered in its own words: then only the status can be believed. */
function notUnderstood(answer: object): PaymentError {
  const status = (answer as Partial<Stripe.Response<object>>).lastResponse?.statusCode;
  const code = status === 429 ? 'rate_limited' : status === 401 || status === 403 ? 'auth' : 'unavailable';
  return new PaymentError(code, `Stripe gave an answer that cannot be understood (${status ?? 'no status'})`);
}

function placeOf(apiBase: string): { host: string; port: number; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
  };
}
