import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { unixSeconds, validateCheckoutRequest } from '../checkout-request.ts';
import {
  type CheckoutRequest,
  type CheckoutState,
  type DisputeEvidence,
  PaymentError,
  type PaymentMethod,
  type PaymentMethodLimits,
  type PaymentsPort,
} from '../port.ts';
import { CALL_TIMEOUT_MS, withTimeout } from '../timeout.ts';
import { checkoutState, createRef, readCheckout, readRefunds, statusAt } from './checkout.ts';
import { answerDispute, readDisputes } from './disputes.ts';
import { runOncePerKey } from './idempotency.ts';
import { readBalance, readTransactions } from './ledger.ts';
import { createRefund } from './refunds.ts';
import {
  checkoutPath,
  defaultAccount,
  REFUND_AFTER_MS,
  SANDBOX_LIMITS,
  sandboxWebhookSecret,
  TRANSFER_LIMITS,
} from './rules.ts';
import { readTranches, refundTranches } from './tranches.ts';
import { close, requireNoTransaction } from './transitions.ts';
import { parseSandboxWebhook } from './webhook.ts';

/** `secret` is the application's; `publicUrl` is the origin of the checkout pages. */
export interface SandboxConfig {
  db: Database;
  method: PaymentMethod;
  /** payments come by bank transfer in several parts */
  inParts?: boolean;
  secret: string;
  now: () => Date;
  publicUrl: string;
  /** how long a payment stays pending, instead of the days that a bank takes */
  settleAfterMs?: number;
  /** how long a refund stays pending */
  refundAfterMs?: number;
  /** the most that a bank debit carries, as at a new provider account; without it the limit of a card payment applies */
  bankDebitMaxCents?: number;
  /** the id of our account, and its mode: checkouts of another account or mode are unknown, as with other keys */
  account?: string;
  livemode?: boolean;
  /** how long a payment stays in the pending balance */
  availableAfterMs?: number;
  /** false: refunds beyond the available balance wait for it (card) or are rejected (crypto) */
  coversShortfall?: boolean;
  /** what the account's settings say; null as if the provider did not tell */
  manualPayouts?: boolean | null;
}

/**
 * A simulated payment provider: it keeps its own tables in our database, in separate transactions, and follows Stripe's
 * rules for cards and Coinbase's for crypto. Payments in parts come into the same account as cards. No money moves.
 */
export function createSandbox(config: SandboxConfig): PaymentsPort {
  const { db, method, now, publicUrl, settleAfterMs = MINUTE, refundAfterMs = REFUND_AFTER_MS } = config;
  const { account, livemode, inParts = false } = { ...defaultAccount(method), ...config };
  const who = { method, account, livemode };
  const of = { ...who, inParts };
  const { bankDebitMaxCents } = config;
  const limits: PaymentMethodLimits = inParts
    ? TRANSFER_LIMITS
    : { ...SANDBOX_LIMITS[method], ...(bankDebitMaxCents !== undefined && { bankDebitMaxCents }) };
  const secret = sandboxWebhookSecret(config.secret, method);
  const stateOf = async (ref: string): Promise<CheckoutState> => {
    const checkout = await readCheckout(db, ref, { of });
    const [refunds, disputes] = [await readRefunds(db, ref), await readDisputes(db, ref)];
    const tranches = await readTranches(db, ref);
    return checkoutState(checkout, { refunds, disputes, tranches }, { now: now(), publicUrl });
  };

  return {
    provider: inParts ? 'sandbox-transfers' : method === 'card' ? 'sandbox-card' : 'sandbox-crypto',
    method,
    livemode,
    limits,

    async createCheckout(request, key) {
      const content = { operation: 'checkout', ...idempotentContent(request) };
      const { ref, expiresAt } = await call(db, () =>
        runOncePerKey(db, { who, key, content, now: now() }, async () => {
          validateNewCheckout(request, limits, now());
          const ref = createRef(method, inParts ? 'cus' : 'cs');
          const expiresAt = storedExpiry(request.expiresAt, method);
          const { saleId, amountCents, expiresAt: _asked, ...stored } = request;
          await db
            .q()
            .insertInto('sandbox_checkouts')
            .values({
              ref,
              ...who,
              in_parts: inParts,
              sale_id: saleId,
              request: JSON.stringify(stored),
              amount_cents: amountCents,
              bank_limit_cents: config.bankDebitMaxCents ?? null,
              settle_after_ms: settleAfterMs,
              available_after_ms: config.availableAfterMs ?? 0,
              expires_at: expiresAt,
              created_at: now(),
            })
            .execute();
          return { ref, expiresAt: expiresAt.toISOString() };
        }),
      );
      return { ref, url: publicUrl + checkoutPath(ref), expiresAt: new Date(expiresAt) };
    },

    getCheckout: (ref) => call(db, () => stateOf(ref)),

    cancelCheckout: (ref, key) =>
      call(db, async () => {
        const use = { who, key, content: { operation: 'cancel', ref }, now: now() };
        await runOncePerKey(db, use, async () => {
          const checkout = await readCheckout(db, ref, { lock: true, of });
          const status = statusAt(checkout, now());
          if (status === 'paid' || (status === 'processing' && !inParts))
            throw new PaymentError('conflict', `This checkout is ${status}.`);
          if (checkout.status === 'open' && status !== 'expired')
            await close(db, checkout, 'canceled', now());
          return { ref };
        });
        return stateOf(ref);
      }),

    refund: ({ ref, amountCents, reason }, key) =>
      call(db, () => {
        const content = { operation: 'refund', ref, amountCents, reason };
        return runOncePerKey(db, { who, key, content, now: now() }, async () => {
          const checkout = await readCheckout(db, ref, { lock: true, of });
          const { coversShortfall = true } = config;
          const order = { amountCents, reason, key, refundAfterMs, coversShortfall };
          return inParts
            ? refundTranches(db, checkout, order, now())
            : createRefund(db, checkout, order, now());
        });
      }),

    parseWebhook: (message) => parseSandboxWebhook({ method, livemode, secret }, message),

    check: () =>
      call(db, async () => {
        await db.q().selectFrom('sandbox_checkouts').select('ref').limit(1).execute();
      }),

    account: async () => account,
    accountSettings: async () => {
      const { manualPayouts = method === 'card' ? true : null } = config;
      return { manualPayouts, bankDebits: null, bankTransfers: null };
    },
    balance: () => call(db, () => readBalance(db, who, now())),
    listTransactions: (page) => call(db, () => readTransactions(db, who, page)),
    ...(method === 'card' &&
      !inParts && {
        submitEvidence: (evidence: DisputeEvidence, key: string) =>
          call(db, () => answerDispute(db, who, { evidence, key }, now())),
      }),
  };
}

/** Runs a call in its own transaction, with the timeout and the errors of a real provider. */
async function call<T>(db: Database, work: () => Promise<T>): Promise<T> {
  requireNoTransaction(db);
  try {
    return await withTimeout(CALL_TIMEOUT_MS, () => db.tx(work));
  } catch (error) {
    if (error instanceof PaymentError) throw error;
    throw new PaymentError('unavailable', 'The sandbox provider cannot be reached', error);
  }
}

/** Stripe stores whole seconds. */
const storedExpiry = (moment: Date, method: PaymentMethod) =>
  method === 'card' ? new Date(unixSeconds(moment) * 1000) : moment;

function validateNewCheckout(request: CheckoutRequest, limits: PaymentMethodLimits, now: Date): void {
  validateCheckoutRequest(request, limits, now);
  if ((unixSeconds(request.expiresAt) - unixSeconds(now)) * 1000 < limits.minLifetimeMs)
    throw new PaymentError('invalid', 'The checkout would close sooner than the provider allows');
  for (const address of [request.successUrl, request.cancelUrl])
    if (!/^https?:\/\//.test(address) || !URL.canParse(address))
      throw new PaymentError('invalid', 'The addresses to return to must be whole');
  if (!/^\S+@\S+$/.test(request.buyerEmail))
    throw new PaymentError('invalid', 'The buyer needs an e-mail address');
}

/** The request content compared for idempotency, in a fixed order. */
const idempotentContent = (request: CheckoutRequest) => ({
  saleId: request.saleId,
  lines: request.lines.map(({ name, amountCents }) => [name, amountCents]),
  amountCents: request.amountCents,
  description: request.description,
  buyerEmail: request.buyerEmail,
  successUrl: request.successUrl,
  cancelUrl: request.cancelUrl,
  expiresAt: request.expiresAt.getTime(),
});
