import { z } from 'zod';
import { checkRefund, checkRequest } from './checkout-request.ts';
import { closeCheckout } from './closing.ts';
import { coinbaseAmount } from './coinbase-amount.ts';
import type { CoinbaseKey } from './coinbase-jwt.ts';
import { coinbaseMessage } from './coinbase-message.ts';
import { CoinbaseClient } from './coinbase-request.ts';
import { CoinbaseCheckout, CoinbaseRefund, checkoutState, reasonWithKey } from './coinbase-state.ts';
import { CALL_MS, withinDeadline } from './deadline.ts';
import {
  type CheckoutRequest,
  type CheckoutState,
  PaymentError,
  type PaymentsPort,
  type RailLimits,
} from './port.ts';
import { verifyCoinbase } from './signature.ts';

/** Coinbase takes 0.01 to 100,000,000 (B-081); the times are ours. */
const LIMITS: RailLimits = {
  minCents: 1,
  maxCents: 10_000_000_000,
  shortestMs: 5 * 60_000,
  longestMs: 24 * 3_600_000,
};

const PLACE = 'https://business.coinbase.com';
const LONGEST_DESCRIPTION = 500;

/** `apiBase` wins over `sandbox`; a base with `/sandbox/` in it is no live one. `callMs`: one call of the port, in all. */
export interface CoinbaseConfig extends CoinbaseKey {
  webhookSecret: string;
  apiBase?: string;
  sandbox?: boolean;
  now?: () => Date;
  callMs?: number;
}

/**
 * USDC by Coinbase Business Checkouts, asked for in US dollars one to one. Its sandbox has the same keys and another base;
 * Coinbase keeps idempotency keys for 24 hours.
 * @throws PaymentError `auth` for a secret that is no key
 */
export function createCoinbase(config: CoinbaseConfig): PaymentsPort {
  const { webhookSecret, sandbox, now = () => new Date(), callMs = CALL_MS } = config;
  const base = (config.apiBase ?? `${PLACE}${sandbox ? '/sandbox' : ''}/api/v1`).replace(/\/$/, '');
  const livemode = !`${base}/`.includes('/sandbox/');
  const client = new CoinbaseClient({ ...config, base, now, attemptMs: Math.floor(callMs * 0.45) });

  const call = <T>(work: () => Promise<T>) => withinDeadline(callMs, work);
  const stateOf = async (ref: string) =>
    checkoutState(await client.send(CoinbaseCheckout, { method: 'GET', path: pathOf(ref) }), livemode);

  /** Why Coinbase refused a refund: it does not tell apart what we have to. */
  async function whyNoRefund(ref: string, amountCents: number, refusal: PaymentError): Promise<PaymentError> {
    const state = await stateOf(ref);
    if (state.status !== 'paid')
      return new PaymentError('conflict', 'Nothing was paid that could be given back', refusal);
    if (amountCents > leftOf(state))
      return new PaymentError('limit', 'The refund is more than what is left', refusal);
    return refusal;
  }

  return {
    provider: 'coinbase',
    rail: 'crypto',
    livemode,
    limits: LIMITS,
    createCheckout: (request, idempotencyKey) =>
      call(async () => {
        checkRequest(request, LIMITS, now());
        const body = bodyOf(request);
        const checkout = await client.send(CoinbaseCheckout, {
          method: 'POST',
          path: '/checkouts',
          body,
          idempotencyKey,
        });
        // Measured from the first request, so that a repeated one finds its answer; nobody learns of the short one's page.
        if (request.expiresAt.getTime() - checkout.createdAt.getTime() < LIMITS.shortestMs)
          throw new PaymentError('invalid', 'The checkout would close sooner than five minutes');
        const { ref, expiresAt } = checkoutState(checkout, livemode);
        return { ref, url: checkout.url, expiresAt };
      }),
    getCheckout: (ref) => call(() => stateOf(ref)),
    cancelCheckout: (ref, idempotencyKey) =>
      call(() => {
        const path = `${pathOf(ref)}/deactivate`;
        return closeCheckout(
          () => stateOf(ref),
          () => client.send(z.unknown(), { method: 'POST', path, idempotencyKey }),
        );
      }),
    refund: ({ ref, amountCents, reason }, idempotencyKey) =>
      call(async () => {
        checkRefund(amountCents);
        const body = {
          amount: coinbaseAmount(amountCents),
          currency: 'USDC',
          reason: reasonWithKey(reason, idempotencyKey),
        };
        const path = `${pathOf(ref)}/refund`;
        try {
          const { refund } = await client.send(z.object({ refund: CoinbaseRefund }), {
            method: 'POST',
            path,
            body,
            idempotencyKey,
          });
          return refund;
        } catch (error) {
          if (!(error instanceof PaymentError) || error.code !== 'invalid') throw error;
          throw await whyNoRefund(ref, amountCents, error);
        }
      }),
    parseWebhook({ rawBody, headers, now: received }) {
      verifyCoinbase({ rawBody, headers, secret: webhookSecret, now: received });
      return coinbaseMessage(rawBody, headers);
    },
    check: () =>
      call(async () => {
        await client.send(z.object({ checkouts: z.array(z.unknown()) }), {
          method: 'GET',
          path: '/checkouts',
          query: { pageSize: '1' },
        });
      }),
  };
}

function leftOf({ amountCents, refunds }: CheckoutState): number {
  const given = refunds.filter(({ status }) => status !== 'failed');
  return given.reduce((left, refund) => left - refund.amountCents, amountCents);
}

/** Coinbase has no lines: the description lists them. */
function bodyOf(request: CheckoutRequest): object {
  const lines = request.lines.map(({ name, amountCents }) => `${name} $${coinbaseAmount(amountCents)}`);
  return {
    amount: coinbaseAmount(request.amountCents),
    currency: 'USDC',
    description: `${request.description}: ${lines.join(', ')}`.slice(0, LONGEST_DESCRIPTION),
    metadata: { sale_id: request.saleId },
    successRedirectUrl: request.successUrl,
    failRedirectUrl: request.cancelUrl,
    expiresAt: request.expiresAt.toISOString(),
  };
}

function pathOf(ref: string): string {
  if (!/^[0-9a-f]{24}$/.test(ref))
    throw new PaymentError('not_found', 'This is no name of a Coinbase checkout');
  return `/checkouts/${ref}`;
}
