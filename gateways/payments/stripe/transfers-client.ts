import type Stripe from 'stripe';
import { cutText } from '#platform/cut-text.ts';
import { type CheckoutRequest, PaymentError } from '../port.ts';
import {
  checkedObject,
  completeList,
  openSdk,
  type StripeClientOptions,
  unexpectedResponse,
} from './client.ts';
import { REFUND_OF } from './transactions.ts';

/** Calls to Stripe at a time for one payment. */
const CONCURRENCY = 10;

/** A customer that stands for one payment in parts, with a payment intent for each part, in order. */
export interface TransferDetails {
  customer: Stripe.Customer;
  intents: Stripe.PaymentIntent[];
  /** of all intents */
  refunds: Stripe.Refund[];
}

/** A part of a refund: on which intent, how much. */
interface RefundPart {
  intent: string;
  cents: number;
}

/** One refund, of which Stripe gets a part for each payment drawn on. */
interface StripeRefundOrder {
  /** the refund that it is a part of */
  of: string;
  /** of the whole refund, in cents */
  totalCents: number;
  key: string;
  reason: string;
  saleId: string;
}

/** The Stripe API calls of payments in parts; each validates the type and mode of the response. */
export class StripeTransfersClient {
  readonly #stripe: Stripe;
  readonly #livemode: boolean;

  constructor(options: StripeClientOptions, livemode: boolean) {
    this.#livemode = livemode;
    this.#stripe = openSdk(options);
  }

  /** The customer that stands for a payment: its own, so that the account number given to the payer serves this payment only. */
  async createCustomer(request: CheckoutRequest, key: string): Promise<Stripe.Customer> {
    const { saleId, amountCents, description, buyerEmail, expiresAt, lines } = request;
    const customer = await this.#stripe.customers.create(
      {
        // Stripe asks here for the account to refund to.
        email: buyerEmail,
        description: cutText(description, 350),
        metadata: {
          sale_id: saleId,
          amount_cents: String(amountCents),
          due_at: expiresAt.toISOString(),
          lines: lines
            .map((line) => line.amountCents)
            .join(' ')
            .slice(0, 500),
        },
        cash_balance: { settings: { reconciliation_mode: 'automatic' } },
      },
      { idempotencyKey: `${key}:customer` },
    );
    return this.#checked(customer, 'customer');
  }

  /** A payment intent for each part, which waits for transfers. */
  createIntents(
    customer: Stripe.Customer,
    { saleId, description }: CheckoutRequest,
    { parts, key }: { parts: readonly number[]; key: string },
  ): Promise<Stripe.PaymentIntent[]> {
    return inGroups(parts, async (amount, at) => {
      const intent = await this.#stripe.paymentIntents.create(
        {
          amount,
          currency: 'usd',
          customer: customer.id,
          confirm: true,
          allowed_payment_method_types: ['customer_balance'],
          payment_method_data: { type: 'customer_balance' },
          payment_method_options: {
            customer_balance: {
              funding_type: 'bank_transfer',
              bank_transfer: { type: 'us_bank_transfer' },
            },
          },
          description,
          metadata: { sale_id: saleId, part: String(at) },
          transfer_group: `sale_${saleId}`,
        },
        { idempotencyKey: `${key}:part:${at}` },
      );
      return this.#checked(intent, 'payment_intent');
    });
  }

  /** @throws PaymentError `not_found` for a customer that stands for no payment of ours */
  async details(ref: string): Promise<TransferDetails> {
    if (!/^cus_\w+$/.test(ref)) throw new PaymentError('not_found', 'This is no name of a Stripe customer');
    const [customer, list] = await Promise.all([
      this.#stripe.customers.retrieve(ref, { expand: ['cash_balance'] }),
      this.#stripe.paymentIntents.list({
        customer: ref,
        limit: 100,
        expand: ['data.latest_charge.balance_transaction'],
      }),
    ]);
    if (customer.deleted || !customer.metadata?.sale_id || !customer.metadata.amount_cents)
      throw new PaymentError('not_found', 'This customer of Stripe stands for no payment');
    const intents = completeList(list)
      .map((intent) => this.#checked(intent, 'payment_intent'))
      .toSorted((a, b) => partOf(a) - partOf(b));
    const received = intents.filter(({ status }) => status === 'succeeded');
    const refunds = await inGroups(received, async ({ id }) =>
      completeList(await this.#stripe.refunds.list({ payment_intent: id, limit: 100 })),
    );
    return { customer: this.#checked(customer, 'customer'), intents, refunds: refunds.flat() };
  }

  /** Cancels intents that still wait; one that has received everything meanwhile stays as it is. */
  async cancelIntents(intents: readonly Stripe.PaymentIntent[], key: string): Promise<void> {
    // One after the other: what a part had received goes to the next one that waits.
    for (const intent of intents) {
      const options = { idempotencyKey: `${key}:part:${partOf(intent)}` };
      try {
        this.#checked(await this.#stripe.paymentIntents.cancel(intent.id, {}, options), 'payment_intent');
      } catch (error) {
        if (!isUnexpectedState(error)) throw error;
      }
    }
  }

  async refundPart(
    { intent, cents }: RefundPart,
    order: StripeRefundOrder,
    part: number,
  ): Promise<Stripe.Refund> {
    const { of, totalCents, key, reason, saleId } = order;
    const refund = await this.#stripe.refunds.create(
      {
        payment_intent: intent,
        amount: cents,
        metadata: {
          [REFUND_OF]: of,
          total_cents: String(totalCents),
          key,
          sale_id: saleId,
          reason: cutText(reason, 500),
        },
      },
      { idempotencyKey: `${key}:part:${part}` },
    );
    return checkedObject(refund, 'refund');
  }

  /** Returns what Stripe holds for the customer, if anything: it was never in our balance. */
  async returnCash({ id, cash_balance: cash, metadata }: Stripe.Customer, key: string): Promise<void> {
    const cents = cash?.available?.usd ?? 0;
    if (cents <= 0) return;
    const refund = await this.#stripe.refunds.create(
      {
        origin: 'customer_balance',
        customer: id,
        currency: 'usd',
        amount: cents,
        metadata: { sale_id: metadata?.sale_id ?? '' },
      },
      { idempotencyKey: `${key}:cash:${cents}` },
    );
    checkedObject(refund, 'refund');
  }

  #checked<T extends { id: string; object: string; livemode: boolean }>(answer: T, object: T['object']): T {
    if (checkedObject(answer, object).livemode !== this.#livemode) throw unexpectedResponse(answer);
    return answer;
  }
}

/** The place of an intent among the parts. */
export const partOf = ({ metadata }: Stripe.PaymentIntent): number => Number(metadata.part ?? 0);

function isUnexpectedState(error: unknown): boolean {
  const { code }: { code?: unknown } = typeof error === 'object' && error !== null ? error : {};
  return code === 'payment_intent_unexpected_state';
}

/** Runs the work for each item, some at a time; the results are in the order of the items. */
async function inGroups<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += CONCURRENCY)
    results.push(
      ...(await Promise.all(items.slice(from, from + CONCURRENCY).map((item, at) => work(item, from + at)))),
    );
  return results;
}
