import { DAY } from '#platform/durations.ts';
import { parseJson } from '#platform/parse-json.ts';
import { askedOnce } from '../../payments/account.ts';
import { PaymentError } from '../../payments/port.ts';
import { CALL_TIMEOUT_MS, withTimeout } from '../../payments/timeout.ts';
import type { PayoutRequest, PayoutState, PayoutsPort } from '../port.ts';
import { validatePayoutRequest } from '../request.ts';
import { readBatch, sendBatch } from './batch.ts';
import { PayPalClient } from './client.ts';
import { Balances, DollarBalance, Verification } from './shapes.ts';
import { batchState } from './state.ts';
import { parsePayPalEvent, transmissionOf } from './webhook.ts';

/** `webhookId` is PayPal's name of the endpoint; `callTimeoutMs` limits a whole call. */
interface PayPalConfig {
  clientId: string;
  clientSecret: string;
  webhookId: string;
  mode: 'live' | 'sandbox';
  apiBase?: string | undefined;
  now?: () => Date;
  callTimeoutMs?: number;
}

const BASES = { live: 'https://api-m.paypal.com', sandbox: 'https://api-m.sandbox.paypal.com' } as const;

/** PayPal keeps the id of a batch for 30 days from when it was received; sending again takes time, too. */
const KEY_MS = 29 * DAY;

/**
 * Payouts to e-mail addresses out of our balance at PayPal, by batches of one payout each. PayPal cannot take back what has arrived,
 * and names neither sale nor item in its list of transactions, so there is none here.
 */
export function createPayPal(config: PayPalConfig): PayoutsPort {
  const { clientId, clientSecret, webhookId, mode, apiBase = BASES[mode] } = config;
  const { now = () => new Date(), callTimeoutMs = CALL_TIMEOUT_MS } = config;
  const attemptTimeoutMs = Math.max(50, Math.floor(callTimeoutMs / 2) - 100);
  const client = new PayPalClient({ clientId, clientSecret, base: apiBase, now, attemptTimeoutMs });
  const call = <T>(work: () => Promise<T>): Promise<T> => withTimeout(callTimeoutMs, work);
  const balances = () =>
    client.send(Balances, {
      method: 'GET',
      path: '/v1/reporting/balances',
      query: { currency_code: 'USD' },
    });

  return {
    provider: 'paypal',
    method: 'paypal',
    livemode: mode === 'live',
    accountProvider: 'paypal',
    account: askedOnce(() => call(async () => (await balances()).account_id)),
    balance: () =>
      call(async () => {
        const dollars = (await balances()).balances.find(({ currency }) => currency === 'USD');
        if (!dollars) return { availableCents: 0, pendingCents: 0 };
        const understood = DollarBalance.safeParse(dollars);
        if (!understood.success)
          throw new PaymentError('unavailable', 'PayPal gave an answer that cannot be understood');
        const { total_balance: total, available_balance: available = total } = understood.data;
        return { availableCents: available, pendingCents: total - available };
      }),
    send: (request) =>
      call(async () => {
        validatePayoutRequest(request);
        return isAddress(request) ? sendBatch(client, request) : unknownDestination(request);
      }),
    find: ({ key, ref, sentAt }) =>
      call(async () => {
        if (ref !== null) return batchOf(client, ref, key);
        if (now().getTime() - sentAt.getTime() < KEY_MS) return null;
        throw new PaymentError('unavailable', 'PayPal cannot be asked about a batch without its id so late');
      }),
    parseWebhook: ({ rawBody, headers }) =>
      call(async () => {
        const transmission = transmissionOf(headers);
        const event = new TextDecoder().decode(rawBody);
        if (parseJson(event) === null)
          throw new PaymentError('bad_signature', 'The body is no event of PayPal');
        // The event is passed on as it came, since the signature covers its bytes.
        const asked = JSON.stringify({ ...transmission, webhook_id: webhookId });
        const { verification_status: status } = await client.send(Verification, {
          method: 'POST',
          path: '/v1/notifications/verify-webhook-signature',
          body: `${asked.slice(0, -1)},"webhook_event":${event}}`,
        });
        if (status !== 'SUCCESS')
          throw new PaymentError('bad_signature', 'The signature does not belong to this message');
        return parsePayPalEvent(rawBody);
      }),
    check: () =>
      call(async () => {
        await balances();
      }),
  };
}

const isAddress = ({ destination }: PayoutRequest): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(destination);

const unknownDestination = ({ key }: PayoutRequest): PayoutState => ({
  key,
  ref: null,
  status: 'failed',
  items: [],
  paidCents: 0,
  feeCents: 0,
  failure: 'destination_unknown',
  arrivesAt: null,
});

async function batchOf(client: PayPalClient, ref: string, key: string): Promise<PayoutState> {
  const batch = await readBatch(client, ref);
  if (batch.header.sender_batch_header.sender_batch_id !== key)
    throw new PaymentError('not_found', 'There is no such batch');
  return batchState(batch);
}
