import type Stripe from 'stripe';
import type { StripeAccount } from './account.ts';
import type { StripeActors } from './actors.ts';
import { StripeApiError } from './api-error.ts';
import { StripeConnectApi } from './connect-api.ts';
import { StripeEndpointsApi } from './endpoints-api.ts';
import { metadataOf, parseStripeParameters } from './parameters.ts';
import type { SessionRecord } from './records.ts';
import { chargeJson, type SessionJson, sessionJson } from './serialization.ts';
import { StripeTransfersApi } from './transfers-api.ts';
import { parseUpload, type StripeUpload } from './upload.ts';

/** One API request: its path segments, and its form body or query. */
type StripeRequest = { method: string; segments: string[]; text: string };

const MIN_CENTS = 50;
const MAX_CENTS = 99_999_999;
const HALF_HOUR = 1_800;
const DAY = 86_400;

/** Handles API requests to one account. @throws StripeRefusal */
export class StripeApi {
  readonly #account: StripeAccount;
  readonly #actors: StripeActors;
  readonly #transfers: StripeTransfersApi;
  readonly #connect: StripeConnectApi;
  readonly endpoints: StripeEndpointsApi;

  constructor(account: StripeAccount, actors: StripeActors) {
    this.#account = account;
    this.#actors = actors;
    this.#transfers = new StripeTransfersApi(account, actors.transfers);
    this.#connect = new StripeConnectApi(account);
    this.endpoints = new StripeEndpointsApi(account);
  }

  handle({ method, segments, text }: StripeRequest): object {
    const [version, ...path] = segments;
    const [resource, id = '', action] = path[0] === 'checkout' ? path.slice(1) : path;
    const connected = this.#connect.handle(method, segments, text);
    if (connected) return connected;
    if (version === 'v1')
      switch (`${method} ${resource}${id ? '/:id' : ''}${action ? `/${action}` : ''}`) {
        case 'POST sessions':
          return this.#create(text);
        case 'GET sessions/:id':
          return this.#retrieve(id, text);
        case 'POST sessions/:id':
          return this.#update(id, text);
        case 'POST sessions/:id/expire':
          return this.#expire(id, text);
        case 'POST customers':
          return this.#transfers.createCustomer(text);
        case 'GET customers/:id':
          return this.#transfers.retrieveCustomer(id, text);
        case 'POST payment_intents':
          return this.#transfers.createIntent(text);
        case 'GET payment_intents':
          return this.#transfers.listIntents(text);
        case 'GET payment_intents/:id':
          return this.#transfers.retrieveIntent(id, text);
        case 'POST payment_intents/:id/cancel':
          return this.#transfers.cancelIntent(id, text);
        case 'POST refunds':
          return this.#refund(text);
        case 'GET refunds':
          return this.#list(this.#account.refundsOf(this.#paymentIn('RefundList', text)));
        case 'GET disputes':
          return this.#list(
            this.#account
              .disputesOf(this.#paymentIn('DisputeList', text))
              .map((dispute) => this.#actors.disputes.json(dispute)),
          );
        case 'GET disputes/:id':
          return this.#actors.disputes.json(this.#actors.disputes.find(id));
        case 'POST disputes/:id':
          return this.#answerDispute(id, text);
        case 'POST files':
          return this.#upload(parseUpload(text));
        case 'GET account':
          return this.#accountJson();
        case 'POST webhook_endpoints':
          return this.endpoints.create(text);
        case 'GET webhook_endpoints':
          return this.endpoints.list(text);
        case 'POST webhook_endpoints/:id':
          return this.endpoints.update(id, text);
        case 'DELETE webhook_endpoints/:id':
          return this.endpoints.remove(id);
        case 'GET balance':
          return this.#balanceJson();
        case 'GET balance_transactions':
          return this.#transactions(text);
      }
    throw new StripeApiError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: /${segments.join('/')}).`,
    });
  }

  #accountJson(): object {
    const { id, payoutInterval: interval, capabilities } = this.#account;
    return { id, object: 'account', capabilities, settings: { payouts: { schedule: { interval } } } };
  }

  #balanceJson(): object {
    const { books, livemode } = this.#account;
    const currencies = ['usd', 'eur'];
    return {
      object: 'balance',
      livemode,
      available: currencies.map((currency) => ({ amount: books.availableIn(currency), currency })),
      pending: currencies.map((currency) => ({ amount: books.pendingIn(currency), currency })),
    };
  }

  /** Creates a session and returns its id. @throws StripeRefusal */
  createSession(text: string): string {
    return this.#create(text).id;
  }

  #create(text: string): SessionJson {
    const params = parseStripeParameters<Stripe.Checkout.SessionCreateParams>('CheckoutSessionCreate', text);
    const account = this.#account;
    const lines = (params.line_items ?? []).map(({ price_data: price, quantity = 0 }) => ({
      name: price?.product_data?.name ?? '',
      amount: (price?.unit_amount ?? 0) * quantity,
    }));
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    this.#checkCreate(params, lines, total);
    const id = account.uniqueId(account.livemode ? 'cs_live' : 'cs_test');
    const session: SessionRecord = {
      id,
      object: 'checkout.session',
      amount_total: total,
      cancel_url: params.cancel_url ?? null,
      client_reference_id: params.client_reference_id ?? null,
      created: account.seconds,
      currency: 'usd',
      customer_email: params.customer_email ?? null,
      expires_at: params.expires_at ?? account.seconds + DAY,
      livemode: account.livemode,
      metadata: metadataOf(params.metadata),
      mode: 'payment',
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      success_url: params.success_url ?? null,
      url: `https://checkout.stripe.com/c/pay/${id}`,
      lines,
      methods: params.allowed_payment_method_types ?? ['card'],
      intent: {
        description: params.payment_intent_data?.description ?? null,
        metadata: metadataOf(params.payment_intent_data?.metadata),
        transfer_group: params.payment_intent_data?.transfer_group ?? null,
      },
    };
    account.sessions.set(id, session);
    return sessionJson(account, session, params.expand);
  }

  /** Rules that the SDK's types do not express. */
  #checkCreate(
    params: Stripe.Checkout.SessionCreateParams,
    lines: SessionRecord['lines'],
    total: number,
  ): void {
    const refuse = StripeApiError.invalidParameter;
    if (params.mode !== 'payment') throw refuse('mode', 'This double knows payments only');
    if (lines.length === 0)
      throw refuse('line_items', 'You must specify at least one line item', 'parameter_missing');
    for (const [at, item] of (params.line_items ?? []).entries()) {
      const name = `line_items[${at}][price_data]`;
      if (item.price_data?.currency !== 'usd') throw refuse(`${name}[currency]`, 'Invalid currency');
      if (!lines[at]?.name) throw refuse(`${name}[product_data][name]`, 'You must give a name');
      if ((item.price_data.unit_amount ?? -1) < 0 || (item.quantity ?? 0) < 1)
        throw refuse(`${name}[unit_amount]`, 'Invalid amount');
    }
    if (total < MIN_CENTS) throw refuse('line_items', 'The total is below $0.50 usd', 'amount_too_small');
    if (total > MAX_CENTS)
      throw refuse('line_items', 'The total is above $999,999.99 usd', 'amount_too_large');
    const open = (params.expires_at ?? this.#account.seconds + DAY) - this.#account.seconds;
    if (open < HALF_HOUR || open > DAY)
      throw refuse('expires_at', 'The `expires_at` timestamp must be 30 minutes to 24 hours ahead.');
    for (const name of ['success_url', 'cancel_url'] as const)
      if (!URL.canParse(params[name] ?? '')) throw refuse(name, 'Not a valid URL', 'url_invalid');
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(params.customer_email ?? 'none@given.test'))
      throw refuse('customer_email', 'Invalid email address', 'email_invalid');
    if ((params.client_reference_id ?? '').length > 200)
      throw refuse('client_reference_id', 'Invalid string: must be at most 200 characters');
  }

  #retrieve(id: string, text: string): object {
    const params = parseStripeParameters<Stripe.Checkout.SessionRetrieveParams>(
      'CheckoutSessionRetrieve',
      text,
    );
    return sessionJson(this.#account, this.#account.session(id), params.expand);
  }

  #update(id: string, text: string): object {
    const params = parseStripeParameters<Stripe.Checkout.SessionUpdateParams>('CheckoutSessionUpdate', text);
    const session = this.#account.session(id);
    if (session.status !== 'open')
      throw StripeApiError.invalidState('This Checkout Session is no longer open.');
    session.metadata = { ...session.metadata, ...metadataOf(params.metadata) };
    return sessionJson(this.#account, session, params.expand);
  }

  #expire(id: string, text: string): object {
    const params = parseStripeParameters<Stripe.Checkout.SessionExpireParams>('CheckoutSessionExpire', text);
    const session = this.#account.openSession(id);
    this.#account.close(session);
    return sessionJson(this.#account, session, params.expand);
  }

  #refund(text: string): object {
    const params = parseStripeParameters<Stripe.RefundCreateParams>('RefundCreate', text);
    if (params.origin === 'customer_balance') return this.#transfers.returnCash(params);
    const account = this.#account;
    const intent = account.intents.get(params.payment_intent ?? '');
    if (!intent) throw StripeApiError.missing('payment_intent', params.payment_intent ?? '');
    const charge = account.chargeOf(intent);
    if (!charge)
      throw StripeApiError.invalidState('This PaymentIntent does not have a successful charge to refund.');
    const { amount, metadata, reason = null } = params;
    return this.#actors.refunds.create(charge, { amount, reason, metadata: metadataOf(metadata) });
  }

  #answerDispute(id: string, text: string): object {
    const params = parseStripeParameters<Stripe.DisputeUpdateParams>('DisputeUpdate', text);
    const files = [
      'receipt',
      'service_documentation',
      'customer_communication',
      'uncategorized_file',
    ] as const;
    for (const field of files) {
      const file = params.evidence?.[field];
      if (file !== undefined && !this.#account.files.has(file)) throw StripeApiError.missing('file', file);
    }
    const { disputes } = this.#actors;
    return disputes.json(disputes.answer(id, { ...params, metadata: metadataOf(params.metadata) }));
  }

  /** Newest first; the source is always expanded, as is asked for. */
  #transactions(text: string): object {
    const params = parseStripeParameters<Stripe.BalanceTransactionListParams>('BalanceTransactionList', text);
    const { created, currency, limit = 10, starting_after: after, expand = [] } = params;
    const since = typeof created === 'object' ? Number(created.gte ?? 0) : 0;
    if (expand.join() !== 'data.source') throw new Error('This double expands the source only, and always');
    const all = this.#account.books.transactions
      .filter((one) => one.created >= since && (currency === undefined || one.currency === currency))
      .reverse();
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && from === 0) throw StripeApiError.missing('balance_transaction', after);
    const data = all.slice(from, from + Number(limit));
    return {
      object: 'list',
      data: data.map((one) => ({ ...one, source: this.#source(one.source) })),
      has_more: all.length > from + data.length,
      url: '/v1/balance_transactions',
    };
  }

  #source(id: string | null): object | null {
    if (id === null) return null;
    const { charges, refunds, disputes, outgoing, transfers, reversals } = this.#account;
    const charge = charges.get(id);
    if (charge) return chargeJson(this.#account, charge);
    for (const records of [refunds, disputes, outgoing, transfers, reversals]) {
      const found = records.get(id);
      if (found) return found;
    }
    return null;
  }

  #upload({ filename, purpose, bytes }: StripeUpload): object {
    if (purpose !== 'dispute_evidence') throw StripeApiError.invalidParameter('purpose', 'Invalid purpose');
    const id = this.#account.uniqueId('file');
    const file = {
      id,
      object: 'file' as const,
      created: this.#account.seconds,
      filename,
      purpose,
      size: bytes,
    };
    this.#account.files.set(id, file);
    return file;
  }

  #paymentIn(name: 'RefundList' | 'DisputeList', text: string): string {
    const { payment_intent: payment } = parseStripeParameters<{ payment_intent?: string }>(name, text);
    if (!payment) throw new Error('This double lists by payment only');
    return payment;
  }

  #list(data: object[]): object {
    return { object: 'list', data, has_more: false, url: '/v1' };
  }
}
