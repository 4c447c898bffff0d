import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { PaymentError } from '../../payments/port.ts';
import { readBalance, readTransactions } from '../../payments/sandbox/ledger.ts';
import type { SandboxAccount } from '../../payments/sandbox/rules.ts';
import { requireNoTransaction } from '../../payments/sandbox/transitions.ts';
import { CALL_TIMEOUT_MS, withTimeout } from '../../payments/timeout.ts';
import type { PayoutMethod, PayoutOnboarding, PayoutState, PayoutsPort } from '../port.ts';
import { validatePayoutRequest } from '../request.ts';
import { createAccount, createLink, readAccount, sellerAccount } from './accounts.ts';
import { loginPath } from './login-page.ts';
import { findByKey, findByRef, heldCents, readState } from './records.ts';
import { reversePayout } from './reversals.ts';
import { defaultPayoutAccount, KEY_DAYS, payoutWebhookSecret, SETTLE_AFTER_MS, senderOf } from './rules.ts';
import { sendPayout } from './send.ts';
import { type MessageMode, parseSandboxPayoutWebhook } from './webhook.ts';

/** `secret` is the application's; `publicUrl` is the origin of the onboarding pages. */
export interface PayoutsSandboxConfig {
  db: Database;
  method: PayoutMethod;
  secret: string;
  now: () => Date;
  publicUrl: string;
  /** how long an item at PayPal is processed */
  settleAfterMs?: number;
  /** how messages arrive about what our own calls change */
  messages?: MessageMode;
  /** the id of our account, and its mode: payouts of another account or mode are unknown, as with other keys */
  account?: string;
  livemode?: boolean;
}

/**
 * Simulated providers of payouts: they keep their own tables in our database, in separate transactions, and follow the rules of
 * Stripe Connect, which pays out of the balance of card payments, and of PayPal, whose balance has to be filled. No money moves.
 */
export function createPayoutsSandbox(config: PayoutsSandboxConfig): PayoutsPort {
  const { db, method, now, publicUrl, settleAfterMs = SETTLE_AFTER_MS, messages = 'once' } = config;
  const { account, livemode } = { ...defaultPayoutAccount(method), ...config };
  const who: SandboxAccount = { method: defaultPayoutAccount(method).method, account, livemode };
  const isConnect = method === 'stripe';
  const secret = payoutWebhookSecret(config.secret, senderOf(method));

  return {
    provider: isConnect ? 'sandbox-connect' : 'sandbox-paypal',
    method,
    livemode,
    accountProvider: isConnect ? 'sandbox-card' : 'sandbox-paypal',
    account: async () => account,
    balance: () =>
      call(db, async () => {
        const { availableCents, pendingCents } = await readBalance(db, who, now());
        return { availableCents: availableCents - (await heldCents(db, who)), pendingCents };
      }),
    send: (request) =>
      call(db, () => {
        validatePayoutRequest(request);
        return sendPayout(db, request, { method, who, now: now(), settleAfterMs, messages });
      }),
    find: ({ key, ref, sentAt }) =>
      call(db, () => {
        const sending = now().getTime() - sentAt.getTime() < KEY_DAYS[method] * DAY;
        return isConnect ? findTransfers(db, who, key, sending) : findBatch(db, who, { key, ref, sending });
      }),
    parseWebhook: async (message) => parseSandboxPayoutWebhook({ method, livemode, secret }, message),
    check: () =>
      call(db, async () => {
        await db.q().selectFrom('sandbox_payouts').select('ref').limit(1).execute();
      }),
    ...(isConnect
      ? {
          reverse: (request, key) => call(db, () => reversePayout(db, who, request, key, now(), messages)),
          onboarding: onboarding(db, who, now, publicUrl, config.secret),
        }
      : { listTransactions: (page) => call(db, () => readTransactions(db, who, page)) }),
  };
}

/** Stripe lists transfers, and knows nothing of what it refused or of what is still to be sent. */
async function findTransfers(
  db: Database,
  who: SandboxAccount,
  key: string,
  sending: boolean,
): Promise<PayoutState | null> {
  const payout = await findByKey(db, who, key);
  if (!payout) return null;
  const state = await readState(db, payout);
  const sentCents = state.items.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const mayFollow = sending && sentCents < payout.amount_cents;
  return state.items.length === 0 || mayFollow ? null : state;
}

/** PayPal is asked by its own id; by ours it cannot be asked, but sending again finds the batch as long as its id is known. */
async function findBatch(
  db: Database,
  who: SandboxAccount,
  { key, ref, sending }: { key: string; ref: string | null; sending: boolean },
): Promise<PayoutState | null> {
  if (ref === null && sending) return null;
  const payout = ref === null ? await findByKey(db, who, key) : await findByRef(db, who, ref);
  if (ref !== null && payout?.key !== key) throw new PaymentError('not_found', 'There is no such batch');
  return payout && readState(db, payout);
}

const onboarding = (
  db: Database,
  who: SandboxAccount,
  now: () => Date,
  publicUrl: string,
  appSecret: string,
): PayoutOnboarding => ({
  create: (seller, key) => call(db, () => createAccount(db, who, seller, key, now())),
  link: (account, urls) =>
    call(db, async () => ({ url: publicUrl + (await createLink(db, who, account, urls, now())) })),
  state: (account) => call(db, async () => sellerAccount(await readAccount(db, who, account))),
  loginLink: (account) =>
    call(db, async () => {
      const { submitted_at } = await readAccount(db, who, account);
      if (submitted_at === null)
        throw new PaymentError('conflict', 'The seller has not completed the setup of the account');
      return { url: publicUrl + loginPath(account, appSecret, now()) };
    }),
});

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
