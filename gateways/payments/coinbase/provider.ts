import { z } from 'zod';
import { cutText } from '#platform/cut-text.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { askedOnce } from '../account.ts';
import { validateCheckoutRequest, validateRefundAmount } from '../checkout-request.ts';
import { closeCheckout } from '../close-checkout.ts';
import {
  type CheckoutRequest,
  type CheckoutState,
  PaymentError,
  type PaymentMethodLimits,
  type PaymentsPort,
  type ProviderBalance,
} from '../port.ts';
import { CALL_TIMEOUT_MS, withTimeout } from '../timeout.ts';
import { verifyCoinbase } from '../webhook-signature.ts';
import { coinbaseAmount } from './amount.ts';
import { sandboxBalance, usdcAccount } from './balance.ts';
import {
  appendKeyToReason,
  CoinbaseCheckout,
  CoinbaseRefund,
  checkoutState,
  refundState,
} from './checkout.ts';
import { CoinbaseClient } from './client.ts';
import type { CoinbaseKey } from './jwt.ts';
import { coinbaseTransactions } from './transactions.ts';
import { parseCoinbaseEvent } from './webhook.ts';

/** Coinbase accepts 0.01 to 100,000,000; the lifetimes are our own choice. */
const LIMITS: PaymentMethodLimits = {
  minCents: 1,
  maxCents: 10_000_000_000,
  minLifetimeMs: 5 * MINUTE,
  maxLifetimeMs: DAY,
};

const DEFAULT_ORIGIN = 'https://business.coinbase.com';
/** Where the accounts of a Coinbase user are read; the checkouts are elsewhere. */
const ACCOUNTS_ORIGIN = 'https://api.coinbase.com';
const MAX_DESCRIPTION_LENGTH = 500;

/** `apiBase` takes precedence over `sandbox`; a base URL containing `/sandbox/` is not live. `callMs` limits a whole call. */
interface CoinbaseConfig extends CoinbaseKey {
  webhookSecret: string;
  apiBase?: string;
  sandbox?: boolean;
  now?: () => Date;
  callTimeoutMs?: number;
}

/**
 * USDC through Coinbase Business Checkouts, priced one to one in US dollars. Its sandbox uses the same keys with another
 * base URL. Coinbase keeps idempotency keys for 24 hours.
 *
 * Neither a checkout nor a key names the account that it belongs to, and a key is replaced from time to time: our account is
 * the USDC account that the key may view, which is the same for every key of it, in the sandbox too. Its balance is ours; the
 * sandbox has none, so there it is the sum of its transactions. Refunds that the balance does not cover are rejected.
 * @throws PaymentError `auth` for a secret that is not a valid key
 */
export function createCoinbase(config: CoinbaseConfig): PaymentsPort {
  const { webhookSecret, sandbox, now = () => new Date(), callTimeoutMs = CALL_TIMEOUT_MS } = config;
  const base = (config.apiBase ?? `${DEFAULT_ORIGIN}${sandbox ? '/sandbox' : ''}/api/v1`).replace(/\/$/, '');
  const livemode = !`${base}/`.includes('/sandbox/');
  const { origin } = new URL(base);
  const accounts = `${origin === DEFAULT_ORIGIN ? ACCOUNTS_ORIGIN : origin}/v2/accounts`;
  const client = new CoinbaseClient({
    ...config,
    base,
    now,
    attemptTimeoutMs: Math.floor(callTimeoutMs * 0.45),
  });

  const call = <T>(work: () => Promise<T>) => withTimeout(callTimeoutMs, work);
  const stateOf = async (ref: string) =>
    checkoutState(await client.send(CoinbaseCheckout, { method: 'GET', path: pathOf(ref) }), livemode);

  async function readBalance(): Promise<ProviderBalance> {
    if (!livemode) return sandboxBalance(client);
    return { availableCents: (await usdcAccount(client, accounts)).balanceCents, pendingCents: 0 };
  }

  /** Finds out why Coinbase rejected a refund; its own error does not distinguish the cases. */
  async function explainRefundError(
    ref: string,
    amountCents: number,
    refusal: PaymentError,
  ): Promise<PaymentError> {
    const state = await stateOf(ref);
    if (state.status !== 'paid')
      return new PaymentError('conflict', 'Nothing was paid that could be given back', refusal);
    if (amountCents > refundableCents(state))
      return new PaymentError('limit', 'The refund is more than what is left', refusal);
    if (amountCents > (await readBalance()).availableCents)
      return new PaymentError('unavailable', 'The balance does not cover the refund', refusal);
    return refusal;
  }

  return {
    provider: 'coinbase',
    method: 'crypto',
    livemode,
    limits: LIMITS,
    createCheckout: (request, idempotencyKey) =>
      call(async () => {
        validateCheckoutRequest(request, LIMITS, now());
        const body = bodyOf(request);
        const checkout = await client.send(CoinbaseCheckout, {
          method: 'POST',
          path: '/checkouts',
          body,
          idempotencyKey,
        });
        // Measured from the first request, so that a retry gets the same response; nobody ever sees a too short checkout.
        if (request.expiresAt.getTime() - checkout.createdAt.getTime() < LIMITS.minLifetimeMs)
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
        validateRefundAmount(amountCents);
        const body = {
          amount: coinbaseAmount(amountCents),
          currency: 'USDC',
          reason: appendKeyToReason(reason, idempotencyKey),
        };
        const path = `${pathOf(ref)}/refund`;
        try {
          const { refund } = await client.send(z.object({ refund: CoinbaseRefund }), {
            method: 'POST',
            path,
            body,
            idempotencyKey,
          });
          return refundState(refund);
        } catch (error) {
          if (!(error instanceof PaymentError) || error.code !== 'invalid') throw error;
          throw await explainRefundError(ref, amountCents, error);
        }
      }),
    parseWebhook({ rawBody, headers, now: received }) {
      verifyCoinbase({ rawBody, headers, secret: webhookSecret, now: received });
      return parseCoinbaseEvent(rawBody, headers);
    },
    check: () =>
      call(async () => {
        await client.send(z.object({ checkouts: z.array(z.unknown()) }), {
          method: 'GET',
          path: '/checkouts',
          query: { pageSize: '1' },
        });
      }),
    account: askedOnce(() => call(async () => (await usdcAccount(client, accounts)).id)),
    // Coinbase pays nothing out by itself as far as its API tells.
    accountSettings: async () => ({ manualPayouts: null, bankDebits: null, bankTransfers: null }),
    balance: () => call(readBalance),
    listTransactions: (page) => call(() => coinbaseTransactions(client, page)),
  };
}

function refundableCents({ amountCents, refunds }: CheckoutState): number {
  const given = refunds.filter(({ status }) => status !== 'failed');
  return given.reduce((left, refund) => left - refund.amountCents, amountCents);
}

/** Coinbase has no line items, so the description lists them. */
function bodyOf(request: CheckoutRequest): object {
  const lines = request.lines.map(({ name, amountCents }) => `${name} $${coinbaseAmount(amountCents)}`);
  return {
    amount: coinbaseAmount(request.amountCents),
    currency: 'USDC',
    description: cutText(`${request.description}: ${lines.join(', ')}`, MAX_DESCRIPTION_LENGTH),
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
