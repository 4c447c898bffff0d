import Stripe from 'stripe';
import { DAY } from '#platform/durations.ts';
import { askedOnce } from '../../payments/account.ts';
import { PaymentError } from '../../payments/port.ts';
import { StripeClient } from '../../payments/stripe/client.ts';
import { stripeError } from '../../payments/stripe/errors.ts';
import { callStripe, dollarsOf, isLiveKey } from '../../payments/stripe/provider.ts';
import { CALL_TIMEOUT_MS } from '../../payments/timeout.ts';
import { verifyStripe } from '../../payments/webhook-signature.ts';
import type { PayoutOnboarding, PayoutReversal, PayoutState, PayoutsPort } from '../port.ts';
import { saleOfKey, validatePayoutRequest, validateReversal } from '../request.ts';
import { StripeConnectClient } from './client.ts';
import { planReversal, reversalMetadata } from './reversal.ts';
import { sendTransfers, totalOf, transfersOfKey } from './send.ts';
import { sellerAccount, transfersState } from './state.ts';
import { parseStripePayoutEvent } from './webhook.ts';

/** `webhookSecrets` are those of all endpoints at Stripe whose messages arrive here; `callMs` limits a whole call. */
interface StripeConnectConfig {
  secretKey: string;
  webhookSecrets: readonly string[];
  apiBase?: string | undefined;
  now?: () => Date;
  callTimeoutMs?: number;
}

/** How long Stripe keeps an idempotency key. */
const KEY_MS = DAY;

/**
 * Transfers to accounts of sellers at Stripe, out of the payments of their sales or of the balance of the account that receives
 * them. The key decides the mode.
 * @throws PaymentError `auth` for a key that is neither a test nor a live key
 */
export function createStripeConnect(config: StripeConnectConfig): PayoutsPort {
  const { secretKey, webhookSecrets, apiBase, now = () => new Date() } = config;
  const { callTimeoutMs = CALL_TIMEOUT_MS } = config;
  const livemode = isLiveKey(secretKey);
  const options = { secretKey, apiBase, callTimeoutMs };
  const platform = new StripeClient(options, livemode);
  const client = new StripeConnectClient(options, livemode);
  const call = <T>(work: () => Promise<T>): Promise<T> => callStripe(callTimeoutMs, work);

  return {
    provider: 'stripe-connect',
    method: 'stripe',
    livemode,
    accountProvider: 'stripe',
    account: askedOnce(() => call(async () => (await platform.currentAccount()).id)),
    balance: () =>
      call(async () => {
        const { available, pending } = await platform.balance();
        return { availableCents: dollarsOf(available), pendingCents: dollarsOf(pending) };
      }),
    send: (request) =>
      call(async () => {
        validatePayoutRequest(request);
        return sendTransfers(client, request);
      }),
    find: ({ key, sentAt }) =>
      call(() => findTransfers(client, key, now().getTime() - sentAt.getTime() < KEY_MS)),
    reverse: (request, key) => call(() => reverseTransfers(client, request, key)),
    async parseWebhook({ rawBody, headers, now: received }) {
      verifyStripe(rawBody, headers.get('stripe-signature'), webhookSecrets, received);
      return parseStripePayoutEvent(rawBody, livemode);
    },
    onboarding: onboarding(client, call),
    check: () =>
      call(async () => {
        await platform.balance();
      }),
  };
}

/** Stripe knows nothing of what it refused; a payout of which not all was sent may go on while its keys are known. */
async function findTransfers(
  client: StripeConnectClient,
  key: string,
  mayGoOn: boolean,
): Promise<PayoutState | null> {
  const transfers = transfersOfKey(await client.transfersOf(saleOfKey(key)), key);
  if (transfers.length === 0) return null;
  const sentCents = transfers.reduce((sum, { amount }) => sum + amount, 0);
  const amountCents = totalOf(transfers);
  if (sentCents < amountCents && mayGoOn) return null;
  return transfersState({ key, amountCents, refusal: null }, transfers);
}

async function reverseTransfers(
  client: StripeConnectClient,
  request: { payoutKey: string; amountCents: number },
  key: string,
): Promise<PayoutReversal> {
  validateReversal(request);
  const { payoutKey, amountCents } = request;
  const saleId = saleOfKey(payoutKey);
  const transfers = transfersOfKey(await client.transfersOf(saleId), payoutKey);
  if (transfers.length === 0) throw new PaymentError('not_found', 'There is no such payout');
  const reversals = await Promise.all(transfers.map((transfer) => client.reversalsOf(transfer)));
  const { made, parts } = planReversal(transfers, reversals.flat(), { amountCents, key });
  const refs = made.map(({ id }) => id);
  const metadata = reversalMetadata(key, amountCents, saleId);
  for (const part of parts)
    refs.push(await reversePart(() => client.reverse(part, metadata, `${key}:${part.position}`)));
  return { reversedCents: amountCents, refs };
}

/** The reference of a reversal. @throws PaymentError `declined` when the seller's balance does not cover it */
async function reversePart(reverse: () => Promise<{ id: string }>): Promise<string> {
  try {
    return (await reverse()).id;
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'balance_insufficient' && code !== 'insufficient_funds') throw stripeError(error);
    throw new PaymentError('declined', "The seller's balance does not cover this", error);
  }
}

const onboarding = (
  client: StripeConnectClient,
  call: <T>(work: () => Promise<T>) => Promise<T>,
): PayoutOnboarding => ({
  create: (seller, key) => call(async () => sellerAccount(await client.createAccount(seller, key))),
  link: (account, urls) =>
    call(async () => ({ url: await client.onboardingLink(checkedRef(account), urls) })),
  state: (account) => call(async () => sellerAccount(await client.account(checkedRef(account)))),
  loginLink: (account) =>
    call(async () => {
      try {
        return { url: await client.loginLink(checkedRef(account)) };
      } catch (error) {
        const failure = stripeError(error);
        // Of an account that is not ours Stripe says that the key has no access to it.
        if (codeOf(error) === 'account_invalid')
          throw new PaymentError('not_found', 'There is no such account', error);
        // It has no code for an account whose onboarding is not done.
        if (failure.code === 'invalid')
          throw new PaymentError('conflict', 'The seller has not completed the setup of the account', error);
        throw failure;
      }
    }),
});

function checkedRef(account: string): string {
  if (!/^acct_\w+$/.test(account)) throw new PaymentError('not_found', 'This is no name of a Stripe account');
  return account;
}

/** Stripe's code of an error, where it has one. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Stripe.errors.StripeError ? error.code : undefined;
