import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { DAY, MINUTE } from '#platform/durations.ts';
import { BANK_REFUND_DAYS, validateCheckoutRequest, validateRefundAmount } from '../checkout-request.ts';
import { PaymentError, type PaymentMethodLimits, type PaymentsPort } from '../port.ts';
import { drawRefund } from '../refund-parts.ts';
import { CALL_TIMEOUT_MS } from '../timeout.ts';
import { expanded } from './checkout.ts';
import { callStripe, createStripe, isLiveKey, type StripeConfig } from './provider.ts';
import { REFUND_OF } from './transactions.ts';
import { instructionsUrl, isWaiting, tranchesOf, transferState } from './transfer.ts';
import { partOf, StripeTransfersClient, type TransferDetails } from './transfers-client.ts';

/** Each part is a payment of at most eight digits; a customer's payments fit into one list. */
const TRANCHE_CENTS = 99_999_999;
const LIMITS: PaymentMethodLimits = {
  minCents: 50,
  maxCents: 100 * TRANCHE_CENTS,
  minLifetimeMs: 30 * MINUTE,
  maxLifetimeMs: 30 * DAY,
  trancheCents: TRANCHE_CENTS,
};

/**
 * Payments in parts through Stripe: US bank transfers to a virtual account number. A customer stands for each payment, with a
 * payment intent for each part; Stripe applies what arrives to them by itself, exact amounts first. What is too much, or arrives
 * when nothing waits anymore, Stripe keeps in the customer's cash balance: it is never in our balance, and is returned when the
 * payment is closed or refunded.
 *
 * Documented by Stripe: intents that are partly funded, automatic reconciliation, excess in the cash balance, refunds for 180 days
 * to an account that Stripe asks the payer for by e-mail. Assumed, until a test account has shown it: an intent is booked with
 * us when it is fully funded and not before; what a cancelled intent had received returns to the cash balance; a return from
 * there moves nothing in our balance; a refund that was cancelled for want of an account can be asked for again.
 * @throws PaymentError `auth` for a key that is neither a test nor a live key
 */
export function createStripeTransfers(config: StripeConfig): PaymentsPort {
  const { secretKey, apiBase, now = () => new Date(), callTimeoutMs = CALL_TIMEOUT_MS } = config;
  // Account, balance, transactions and messages are shared; transfers cannot be disputed.
  const { submitEvidence: _, ...shared } = createStripe(config);
  const client = new StripeTransfersClient({ secretKey, apiBase, callTimeoutMs }, isLiveKey(secretKey));
  const call = <T>(work: () => Promise<T>): Promise<T> => callStripe(callTimeoutMs, work);

  return {
    ...shared,
    provider: 'stripe-transfers',
    limits: LIMITS,
    createCheckout: (request, idempotencyKey) =>
      call(async () => {
        validateCheckoutRequest(request, LIMITS, now());
        const customer = await client.createCustomer(request, idempotencyKey);
        const parts = partsOf(request.amountCents);
        const [first] = await client.createIntents(customer, request, { parts, key: idempotencyKey });
        const url = first && instructionsUrl(first);
        if (!url) throw new PaymentError('unavailable', 'Stripe gave no instructions for the transfers');
        return { ref: customer.id, url, expiresAt: request.expiresAt };
      }),
    getCheckout: (ref) => call(async () => transferState(await client.details(ref))),
    cancelCheckout: (ref, idempotencyKey) =>
      call(async () => {
        const before = await client.details(ref);
        if (transferState(before).status === 'paid')
          throw new PaymentError('conflict', 'The checkout cannot be closed: it is paid');
        await client.cancelIntents(before.intents.filter(isWaiting), idempotencyKey);
        const after = await client.details(ref);
        const state = transferState(after);
        if (state.status === 'paid')
          throw new PaymentError('conflict', 'The checkout cannot be closed: it is paid');
        if (state.status !== 'canceled')
          throw new PaymentError('unavailable', 'Stripe left the checkout open');
        await client.returnCash(after.customer, idempotencyKey);
        return state;
      }),
    refund: ({ ref, amountCents, reason }, idempotencyKey) =>
      call(async () => {
        validateRefundAmount(amountCents);
        const details = await client.details(ref);
        const of = `refund_${createHash('sha256').update(`${ref} ${idempotencyKey}`).digest('hex').slice(0, 24)}`;
        const order = {
          of,
          totalCents: amountCents,
          key: idempotencyKey,
          reason,
          saleId: details.customer.metadata?.sale_id ?? '',
        };
        const made = details.refunds.filter((refund) => refund.metadata?.[REFUND_OF] === of);
        const missing = missingParts(details, { of, amountCents, made }, now());
        for (const [at, part] of missing.entries())
          try {
            await client.refundPart(part, order, part.part);
          } catch (error) {
            if (at === 0 && made.length === 0) throw error;
            // A refund that has begun is finished when it is asked for again.
            throw new PaymentError('unavailable', 'Stripe made a part of the refund', error);
          }
        await client.returnCash(details.customer, idempotencyKey);
        const state = transferState(await client.details(ref)).refunds.find((refund) => refund.ref === of);
        if (!state) throw new PaymentError('unavailable', 'Stripe does not tell of the refund');
        return state;
      }),
  };
}

/**
 * The amounts of the parts: as few as possible, and even, so that none is below what Stripe takes, nor so small that it would hold
 * a property for next to nothing.
 */
export function partsOf(amountCents: number): number[] {
  const count = Math.ceil(amountCents / TRANCHE_CENTS);
  const even = Math.floor(amountCents / count);
  return Array.from({ length: count }, (_, at) => even + (at < amountCents - even * count ? 1 : 0));
}

interface Asked {
  of: string;
  amountCents: number;
  /** the parts that have been made before */
  made: readonly Stripe.Refund[];
}

/**
 * The parts of a refund that are still to be made: the same ones however often it is asked for.
 * @throws PaymentError `conflict` while nothing has arrived, what has is too old, or the key was used for another amount; `limit`
 */
function missingParts({ intents, refunds }: TransferDetails, { of, amountCents, made }: Asked, now: Date) {
  const received = intents.filter(({ status }) => status === 'succeeded');
  if (received.length === 0) throw new PaymentError('conflict', 'Nothing was paid that could be given back');
  if (made.some(({ metadata }) => metadata?.total_cents !== String(amountCents)))
    throw new PaymentError('conflict', 'This idempotency key was used for something else');
  const oldest = now.getTime() - BANK_REFUND_DAYS * DAY;
  const young = received.filter((intent) => (expanded(intent.latest_charge)?.created ?? 0) * 1000 >= oldest);
  if (young.length === 0)
    throw new PaymentError('conflict', 'A bank transfer can be given back for 180 days');
  const sum = (list: readonly Stripe.Refund[]) => list.reduce((total, { amount }) => total + amount, 0);
  const others = refunds.filter(
    ({ status, metadata }) => status !== 'failed' && status !== 'canceled' && metadata?.[REFUND_OF] !== of,
  );
  const on = (list: readonly Stripe.Refund[], ref: string) =>
    list.filter(({ payment_intent: intent }) => intent === ref);
  const order = tranchesOf(young).filter(({ ref }) => on(made, ref).length === 0);
  const rooms = order.map(({ ref, amountCents: cents }) => ({ ref, cents: cents - sum(on(others, ref)) }));
  return drawRefund(rooms, amountCents - sum(made)).map(({ ref, cents }) => {
    const intent = young.find(({ id }) => id === ref);
    return { intent: ref, cents, part: intent ? partOf(intent) : 0 };
  });
}
