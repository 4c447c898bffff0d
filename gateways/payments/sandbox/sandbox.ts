import type { Database } from '#platform/db/database.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { checkRefund, checkRequest, unixSeconds } from '../checkout-request.ts';
import { CALL_MS, withinDeadline } from '../deadline.ts';
import {
  type CheckoutRequest,
  type CheckoutState,
  PaymentError,
  type PaymentsPort,
  type Rail,
  type RefundState,
} from '../port.ts';
import { close, deliverJob, requireOutside } from './change.ts';
import { checkoutState, newRef, readCheckout, readRefunds, statusAt } from './checkout.ts';
import { once } from './keys.ts';
import { parseSandboxMessage } from './messages.ts';
import { checkoutPath, SANDBOX_LIMITS, sandboxSecret } from './rules.ts';

/** `secret` is the application's; `publicUrl` its origin, where the pages of the checkouts are. */
export interface SandboxConfig {
  db: Database;
  rail: Rail;
  secret: string;
  now: () => Date;
  publicUrl: string;
  /** how long money is on its way, in place of the days that a bank takes */
  settleAfterMs?: number;
  /** how long a refund is pending */
  refundAfterMs?: number;
  /** what one bank transfer may be, as with a new account; without it as much as a card payment (B-081) */
  bankLimitCents?: number;
}

/**
 * A payment provider without a provider: it keeps its own books in our database, in transactions of its own, and follows
 * Stripe's rules on the card rail and Coinbase's on the crypto rail. No money moves.
 */
export function createSandbox(config: SandboxConfig): PaymentsPort {
  const { db, rail, now, publicUrl, settleAfterMs = 60_000, refundAfterMs = 5_000 } = config;
  const limits = SANDBOX_LIMITS[rail];
  const secret = sandboxSecret(config.secret, rail);
  const stateOf = async (ref: string): Promise<CheckoutState> => {
    const checkout = await readCheckout(db.q(), ref, { rail });
    return checkoutState(checkout, await readRefunds(db.q(), ref), { now: now(), publicUrl });
  };

  return {
    provider: rail === 'card' ? 'sandbox-card' : 'sandbox-crypto',
    rail,
    livemode: false,
    limits,

    async createCheckout(request, key) {
      const content = { operation: 'checkout', ...contentOf(request) };
      const { ref, expiresAt } = await call(db, () =>
        once(db.q(), { rail, key, content, now: now() }, async () => {
          checkNew(request, rail, now());
          const ref = newRef(rail, 'cs');
          const expiresAt = keptMoment(request.expiresAt, rail);
          const { saleId, amountCents, expiresAt: _asked, ...kept } = request;
          await db
            .q()
            .insertInto('sandbox_checkouts')
            .values({
              ref,
              rail,
              sale_id: saleId,
              request: JSON.stringify(kept),
              amount_cents: amountCents,
              bank_limit_cents: config.bankLimitCents ?? null,
              settle_after_ms: settleAfterMs,
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
        const use = { rail, key, content: { operation: 'cancel', ref }, now: now() };
        await once(db.q(), use, async () => {
          const checkout = await readCheckout(db.q(), ref, { lock: true, rail });
          const status = statusAt(checkout, now());
          if (status === 'processing' || status === 'paid')
            throw new PaymentError('conflict', `This checkout is ${status}.`);
          if (status === 'open') await close(db, checkout, 'canceled', now());
          return { ref };
        });
        return stateOf(ref);
      }),

    refund: ({ ref, amountCents, reason }, key) =>
      call(db, () => {
        const content = { operation: 'refund', ref, amountCents, reason };
        return once(db.q(), { rail, key, content, now: now() }, async (): Promise<RefundState> => {
          const checkout = await readCheckout(db.q(), ref, { lock: true, rail });
          checkRefund(amountCents);
          if (checkout.status !== 'paid')
            throw new PaymentError('conflict', 'Only what was paid can be given back.');
          if (checkout.dispute && checkout.dispute.status !== 'won')
            throw new PaymentError('conflict', 'A disputed payment cannot be given back as well.');
          const given = (await readRefunds(db.q(), ref)).filter(({ status }) => status !== 'failed');
          const left = given.reduce((sum, refund) => sum - refund.amountCents, checkout.amount_cents);
          if (amountCents > left) throw new PaymentError('limit', 'More than what is left of the payment.');
          const settleAt = new Date(now().getTime() + refundAfterMs);
          const refund: RefundState = { ref: newRef(rail, 're'), status: 'pending', amountCents, key };
          await db
            .q()
            .insertInto('sandbox_refunds')
            .values({
              ref: refund.ref,
              checkout_ref: ref,
              amount_cents: amountCents,
              reason,
              key,
              settle_at: settleAt,
              created_at: now(),
            })
            .execute();
          await enqueue({ db }, deliverJob, {}, { after: settleAt });
          return refund;
        });
      }),

    parseWebhook: (message) => parseSandboxMessage(rail, message, secret),

    check: () =>
      call(db, async () => {
        await db.q().selectFrom('sandbox_checkouts').select('ref').limit(1).execute();
      }),
  };
}

/** One call over the wire that is not there: it ends in time, in its own transaction, and fails as a provider would. */
async function call<T>(db: Database, work: () => Promise<T>): Promise<T> {
  requireOutside(db);
  try {
    return await withinDeadline(CALL_MS, () => db.tx(work));
  } catch (error) {
    if (error instanceof PaymentError) throw error;
    throw new PaymentError('unavailable', 'The sandbox provider cannot be reached', error);
  }
}

/** Stripe keeps whole seconds. */
const keptMoment = (moment: Date, rail: Rail) =>
  rail === 'card' ? new Date(unixSeconds(moment) * 1000) : moment;

function checkNew(request: CheckoutRequest, rail: Rail, now: Date): void {
  checkRequest(request, SANDBOX_LIMITS[rail], now);
  if ((unixSeconds(request.expiresAt) - unixSeconds(now)) * 1000 < SANDBOX_LIMITS[rail].shortestMs)
    throw new PaymentError('invalid', 'The checkout would close sooner than the provider allows');
  for (const address of [request.successUrl, request.cancelUrl])
    if (!/^https?:\/\//.test(address) || !URL.canParse(address))
      throw new PaymentError('invalid', 'The addresses to return to must be whole');
  if (!/^\S+@\S+$/.test(request.buyerEmail))
    throw new PaymentError('invalid', 'The buyer needs an e-mail address');
}

/** What makes two requests the same, in a fixed order. */
const contentOf = (request: CheckoutRequest) => ({
  saleId: request.saleId,
  lines: request.lines.map(({ name, amountCents }) => [name, amountCents]),
  amountCents: request.amountCents,
  description: request.description,
  buyerEmail: request.buyerEmail,
  successUrl: request.successUrl,
  cancelUrl: request.cancelUrl,
  expiresAt: request.expiresAt.getTime(),
});
