import type Stripe from 'stripe';
import type { StripeAccount } from './account.ts';
import { StripeApiError } from './api-error.ts';
import { metadataOf, parseStripeParameters } from './parameters.ts';
import type { CustomerRecord, IntentRecord } from './records.ts';
import { expandedIntentJson } from './serialization.ts';
import type { StripeTransfers } from './transfers.ts';

const MIN_CENTS = 50;
const MAX_CENTS = 99_999_999;

/** Requests about customers and about payment intents that wait for bank transfers. @throws StripeRefusal */
export class StripeTransfersApi {
  readonly #account: StripeAccount;
  readonly #transfers: StripeTransfers;

  constructor(account: StripeAccount, transfers: StripeTransfers) {
    this.#account = account;
    this.#transfers = transfers;
  }

  createCustomer(text: string): object {
    const params = parseStripeParameters<Stripe.CustomerCreateParams>('CustomerCreate', text);
    const account = this.#account;
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(params.email ?? ''))
      throw StripeApiError.invalidParameter('email', 'Invalid email address', 'email_invalid');
    const customer: CustomerRecord = {
      id: account.uniqueId('cus'),
      object: 'customer',
      created: account.seconds,
      livemode: account.livemode,
      email: params.email ?? null,
      metadata: metadataOf(params.metadata),
      cashCents: 0,
    };
    account.customers.set(customer.id, customer);
    return this.#customerJson(customer, false);
  }

  retrieveCustomer(id: string, text: string): object {
    const { expand = [] } = parseStripeParameters<Stripe.CustomerRetrieveParams>('CustomerRetrieve', text);
    return this.#customerJson(this.#transfers.customer(id), expand.includes('cash_balance'));
  }

  #customerJson({ cashCents, ...shown }: CustomerRecord, withCash: boolean): object {
    if (!withCash) return shown;
    const { id: customer, livemode } = shown;
    const available = cashCents > 0 ? { usd: cashCents } : null;
    const settings = { reconciliation_mode: 'automatic', using_merchant_default: false };
    return { ...shown, cash_balance: { object: 'cash_balance', customer, livemode, available, settings } };
  }

  createIntent(text: string): object {
    const params = parseStripeParameters<Stripe.PaymentIntentCreateParams>('PaymentIntentCreate', text);
    const account = this.#account;
    this.#checkIntent(params);
    const customer = this.#transfers.customer(params.customer ?? '');
    const intent: IntentRecord = {
      id: account.uniqueId('pi'),
      object: 'payment_intent',
      amount: params.amount,
      created: account.seconds,
      currency: params.currency,
      description: params.description ?? null,
      latest_charge: null,
      livemode: account.livemode,
      metadata: metadataOf(params.metadata),
      session: null,
      status: 'requires_action',
      transfer: { customer: customer.id, receivedCents: 0 },
      transfer_group: params.transfer_group ?? null,
    };
    account.intents.set(intent.id, intent);
    this.#transfers.reconcile(customer.id);
    return expandedIntentJson(account, intent, params.expand ?? []);
  }

  /** Rules that the SDK's types do not express. */
  #checkIntent(params: Stripe.PaymentIntentCreateParams): void {
    const refuse = StripeApiError.invalidParameter;
    const { amount, currency, confirm, payment_method_options: options } = params;
    if (amount < MIN_CENTS) throw refuse('amount', 'Amount must be at least $0.50 usd', 'amount_too_small');
    if (amount > MAX_CENTS)
      throw refuse('amount', 'Amount must be no more than $999,999.99', 'amount_too_large');
    if (currency !== 'usd') throw refuse('currency', 'US bank transfers are in usd');
    const method = params.payment_method_data?.type;
    if (String(confirm) !== 'true' || method !== 'customer_balance')
      throw refuse('payment_method_data', 'This double knows bank transfers only');
    if (params.allowed_payment_method_types?.join() !== 'customer_balance')
      throw refuse('allowed_payment_method_types', 'The payment method is not among the allowed types');
    const balance = options?.customer_balance || undefined;
    if (balance?.funding_type !== 'bank_transfer' || balance.bank_transfer?.type !== 'us_bank_transfer')
      throw refuse('payment_method_options[customer_balance]', 'The funding type is required');
  }

  /** Newest first. */
  listIntents(text: string): object {
    const params = parseStripeParameters<Stripe.PaymentIntentListParams>('PaymentIntentList', text);
    const { customer, limit = 10, expand = [] } = params;
    if (!customer) throw new Error('This double lists by customer only');
    this.#transfers.customer(customer);
    const all = this.#transfers.intentsOf(customer).reverse();
    const paths = expand.map((path) => path.replace(/^data\./, ''));
    const data = all.slice(0, Number(limit)).map((one) => expandedIntentJson(this.#account, one, paths));
    return { object: 'list', data, has_more: all.length > data.length, url: '/v1/payment_intents' };
  }

  retrieveIntent(id: string, text: string): object {
    const { expand = [] } = parseStripeParameters<Stripe.PaymentIntentRetrieveParams>(
      'PaymentIntentRetrieve',
      text,
    );
    const intent = this.#account.intents.get(id);
    if (!intent) throw StripeApiError.missing('intent', id);
    return expandedIntentJson(this.#account, intent, expand);
  }

  cancelIntent(id: string, text: string): object {
    const params = parseStripeParameters<Stripe.PaymentIntentCancelParams>('PaymentIntentCancel', text);
    return expandedIntentJson(this.#account, this.#transfers.cancel(id), params.expand ?? []);
  }

  /** A refund out of what Stripe holds for a customer. */
  returnCash({ customer, amount, currency }: Stripe.RefundCreateParams): object {
    if (currency !== 'usd') throw StripeApiError.invalidParameter('currency', 'Invalid currency');
    return this.#transfers.returnCash(customer ?? '', amount ?? 0);
  }
}
