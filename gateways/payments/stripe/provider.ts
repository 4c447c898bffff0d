import { DAY, MINUTE } from '#platform/durations.ts';
import { askedOnce } from '../account.ts';
import { validateCheckoutRequest, validateRefundAmount } from '../checkout-request.ts';
import { closeCheckout } from '../close-checkout.ts';
import { PaymentError, type PaymentMethodLimits, type PaymentsPort } from '../port.ts';
import { CALL_TIMEOUT_MS, withTimeout } from '../timeout.ts';
import { verifyStripe } from '../webhook-signature.ts';
import { checkoutState, isPastBankRefunds, paymentIntentOf, refundState } from './checkout.ts';
import { StripeClient } from './client.ts';
import { stripeError } from './errors.ts';
import { submitEvidence } from './evidence.ts';
import { providerTransaction } from './transactions.ts';
import { parseStripeEvent } from './webhook.ts';

/** Stripe accepts amounts of at most eight digits, and lifetimes from 30 minutes to 24 hours. */
const LIMITS: PaymentMethodLimits = {
  minCents: 50,
  maxCents: 99_999_999,
  minLifetimeMs: 30 * MINUTE,
  maxLifetimeMs: DAY,
};

/** `callTimeoutMs` limits a whole call. */
export interface StripeConfig {
  secretKey: string;
  /** messages are refused without one */
  webhookSecret: string;
  /** the secret before it was replaced: accepted until then, too */
  formerWebhookSecret?: { secret: string; until: Date } | undefined;
  apiBase?: string;
  /** the most that our account may take by a bank debit, 0 for none: Stripe does not say, and fails payments beyond it */
  bankDebitMaxCents?: number;
  now?: () => Date;
  callTimeoutMs?: number;
}

/**
 * Cards and bank transfers through Stripe Checkout. The key decides the mode: test keys never move real money.
 *
 * Stripe keeps idempotency keys for 24 hours, including 500 responses: such a call has to be repeated with another key. The
 * maximum lifetime is checked here, the minimum by Stripe.
 * @throws PaymentError `auth` for a key that is neither a test nor a live key
 */
export function createStripe(config: StripeConfig): PaymentsPort {
  const {
    secretKey,
    webhookSecret,
    formerWebhookSecret: former,
    apiBase,
    bankDebitMaxCents = LIMITS.maxCents,
    now = () => new Date(),
    callTimeoutMs = CALL_TIMEOUT_MS,
  } = config;
  const livemode = isLiveKey(secretKey);
  const limits: PaymentMethodLimits = { ...LIMITS, bankDebitMaxCents };
  const client = new StripeClient({ secretKey, apiBase, callTimeoutMs }, livemode);

  const call = <T>(work: () => Promise<T>): Promise<T> => callStripe(callTimeoutMs, work);
  const stateOf = async (ref: string) => checkoutState(await client.checkoutDetails(ref));

  return {
    provider: 'stripe',
    method: 'card',
    livemode,
    limits,
    createCheckout: (request, idempotencyKey) =>
      call(async () => {
        validateCheckoutRequest(request, limits, now());
        const bankDebits = request.amountCents <= bankDebitMaxCents;
        const { id, url, expires_at } = await client.create(request, { bankDebits }, idempotencyKey);
        if (!url || !expires_at)
          throw new PaymentError('unavailable', 'Stripe opened a checkout without page');
        return { ref: id, url, expiresAt: new Date(expires_at * 1000) };
      }),
    getCheckout: (ref) => call(() => stateOf(ref)),
    cancelCheckout: (ref, idempotencyKey) =>
      call(() =>
        closeCheckout(
          () => stateOf(ref),
          () => client.expire(ref, idempotencyKey, now()),
        ),
      ),
    refund: (request, idempotencyKey) =>
      call(async () => {
        validateRefundAmount(request.amountCents);
        const session = await client.session(request.ref);
        if (session.payment_status !== 'paid')
          throw new PaymentError('conflict', 'Nothing was paid that could be given back');
        if (isPastBankRefunds(session, now()))
          throw new PaymentError('conflict', 'A bank transfer can be given back for 180 days');
        const of = { intent: paymentIntentOf(session)?.id, saleId: session.client_reference_id };
        return refundState(await client.refund(of, request, idempotencyKey));
      }),
    payments: {
      refund: ({ paymentRef, ...request }, idempotencyKey) =>
        call(async () => {
          validateRefundAmount(request.amountCents);
          const of = { intent: paymentRef, saleId: null };
          return refundState(await client.refund(of, request, idempotencyKey));
        }),
      refundsOf: (paymentRef) => call(async () => (await client.refundsOf(paymentRef)).map(refundState)),
    },
    parseWebhook({ rawBody, headers, now: received }) {
      const secrets = former && received < former.until ? [webhookSecret, former.secret] : [webhookSecret];
      verifyStripe(rawBody, headers.get('stripe-signature'), secrets, received);
      return parseStripeEvent(rawBody, livemode);
    },
    check: () =>
      call(async () => {
        await client.balance();
      }),
    account: askedOnce(() => call(async () => (await client.currentAccount()).id)),
    accountSettings: () =>
      call(async () => {
        const { settings, capabilities } = await client.currentAccount();
        const interval = settings?.payouts?.schedule?.interval;
        return {
          manualPayouts: interval ? interval === 'manual' : null,
          bankDebits: mayUse(capabilities?.us_bank_account_ach_payments),
          bankTransfers: mayUse(capabilities?.us_bank_transfer_payments),
        };
      }),
    balance: () =>
      call(async () => {
        const { available, pending } = await client.balance();
        return { availableCents: dollarsOf(available), pendingCents: dollarsOf(pending) };
      }),
    listTransactions: ({ since, cursor }) =>
      call(async () => {
        const { data, has_more } = await client.balanceTransactions(since, cursor);
        return {
          transactions: data.map(providerTransaction),
          next: has_more ? (data.at(-1)?.id ?? null) : null,
        };
      }),
    submitEvidence: (evidence, idempotencyKey) =>
      call(() => submitEvidence(client, evidence, idempotencyKey, now())),
  };
}

/** Whether a capability of an account is in force; null when Stripe does not mention it. */
const mayUse = (capability: string | undefined): boolean | null =>
  capability === undefined ? null : capability === 'active';

/** @throws PaymentError `auth` for a key that is neither a test nor a live key */
export function isLiveKey(secretKey: string): boolean {
  const mode = /^(?:sk|rk)(?:_org)?_(test|live)_\w+$/.exec(secretKey)?.[1];
  if (!mode) throw new PaymentError('auth', "Stripe's secret key must begin with sk_test_ or sk_live_");
  return mode === 'live';
}

/** Runs a call within a time limit; every failure is a PaymentError. */
export async function callStripe<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(timeoutMs, work);
  } catch (error) {
    throw stripeError(error);
  }
}

/** The balance in US dollars, in cents; every currency has its own. */
export function dollarsOf(funds: readonly { amount: number; currency: string }[]): number {
  return funds.filter(({ currency }) => currency === 'usd').reduce((sum, { amount }) => sum + amount, 0);
}
