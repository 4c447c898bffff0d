import { checkRefund, checkRequest } from './checkout-request.ts';
import { closeCheckout } from './closing.ts';
import { CALL_MS, withinDeadline } from './deadline.ts';
import { PaymentError, type PaymentsPort, type RailLimits } from './port.ts';
import { verifyStripe } from './signature.ts';
import { StripeCalls } from './stripe-calls.ts';
import { stripeProblem } from './stripe-errors.ts';
import { stripeMessage } from './stripe-message.ts';
import { checkoutState, refundState } from './stripe-state.ts';

/** Stripe takes eight digits at most and closes a checkout after 30 minutes to 24 hours (S0 §9, B-072, B-081). */
const LIMITS: RailLimits = {
  minCents: 50,
  maxCents: 99_999_999,
  shortestMs: 30 * 60_000,
  longestMs: 24 * 3_600_000,
};

/** `callMs` is how long one call of the port may take in all. */
export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
  apiBase?: string;
  now?: () => Date;
  callMs?: number;
}

/**
 * Cards and bank transfers by Stripe Checkout. The key decides the mode: test keys never touch real money.
 *
 * Stripe keeps idempotency keys for 24 hours, and with them an answer of 500: such a call has to be repeated under
 * another key. Of the time limits, the longest is asked here and the shortest by Stripe.
 * @throws PaymentError `auth` for a key that is neither a test key nor a live one
 */
export function createStripe(config: StripeConfig): PaymentsPort {
  const { secretKey, webhookSecret, apiBase, now = () => new Date(), callMs = CALL_MS } = config;
  const mode = /^(?:sk|rk)(?:_org)?_(test|live)_\w+$/.exec(secretKey)?.[1];
  if (!mode) throw new PaymentError('auth', "Stripe's secret key must begin with sk_test_ or sk_live_");
  const livemode = mode === 'live';
  const calls = new StripeCalls({ secretKey, apiBase, callMs }, livemode);

  async function call<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withinDeadline(callMs, work);
    } catch (error) {
      throw stripeProblem(error);
    }
  }
  const stateOf = async (ref: string) => checkoutState(await calls.facts(ref));

  return {
    provider: 'stripe',
    rail: 'card',
    livemode,
    limits: LIMITS,
    createCheckout: (request, idempotencyKey) =>
      call(async () => {
        checkRequest(request, LIMITS, now());
        const { id, url, expires_at } = await calls.create(request, idempotencyKey);
        if (!url || !expires_at)
          throw new PaymentError('unavailable', 'Stripe opened a checkout without page');
        return { ref: id, url, expiresAt: new Date(expires_at * 1000) };
      }),
    getCheckout: (ref) => call(() => stateOf(ref)),
    cancelCheckout: (ref, idempotencyKey) =>
      call(() =>
        closeCheckout(
          () => stateOf(ref),
          () => calls.expire(ref, idempotencyKey, now()),
        ),
      ),
    refund: (request, idempotencyKey) =>
      call(async () => {
        checkRefund(request.amountCents);
        const session = await calls.session(request.ref);
        if (session.payment_status !== 'paid')
          throw new PaymentError('conflict', 'Nothing was paid that could be given back');
        return refundState(await calls.refund(session, request, idempotencyKey));
      }),
    parseWebhook({ rawBody, headers, now: received }) {
      verifyStripe(rawBody, headers.get('stripe-signature'), webhookSecret, received);
      return stripeMessage(rawBody, livemode);
    },
    check: () => call(() => calls.balance()),
  };
}
