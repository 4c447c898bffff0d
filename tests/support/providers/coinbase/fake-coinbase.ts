import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { signCoinbase } from '#gateways/payments/webhook-signature.ts';
import { DAY } from '#platform/durations.ts';
import { type Provider, type ProviderServer, startProviderServer } from '../provider-server.ts';
import { amountOf, CoinbaseAccount, type CoinbaseEvent } from './account.ts';
import { handleCoinbaseRequest } from './api.ts';
import { CoinbaseApiError } from './api-error.ts';
import { type CoinbasePublicKey, tokenProblem } from './token.ts';

type CoinbaseKeyPair = { keyId: string; keySecret: string };

export type FakeCoinbase = ProviderServer & {
  /** The base URL and account of each environment: the same keys, separate checkouts. */
  sandbox: { base: string; account: CoinbaseAccount };
  live: { base: string; account: CoinbaseAccount };
  /** One key of each kind that Coinbase issues. */
  keys: { ed25519: CoinbaseKeyPair; es256: CoinbaseKeyPair };
  webhookSecret: string;
  /** The latest event about a checkout. */
  latestEvent(account: CoinbaseAccount, ref: string): CoinbaseEvent;
  /** An event as a webhook request at the current time, signed with `webhookSecret` unless another secret is given. */
  signedWebhook(event: CoinbaseEvent, secret?: string): { rawBody: Uint8Array; headers: Headers };
};

type StoredResponse = { content: string; at: number; answer: ReturnType<Provider['answer']> };

const IDEMPOTENCY_TTL_MS = DAY;
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * A fake Coinbase Business API in this process. It verifies every token, accepts only what the documentation allows, and
 * repeats its response to an idempotency key. Events are collected in `account.events`; tests deliver them as they like.
 */
export async function startFakeCoinbase({ now }: { now: () => Date }): Promise<FakeCoinbase> {
  const webhookSecret = 'double-of-coinbase-hook';
  const { keys, publicKeys } = makeKeys();
  const environments = ['/sandbox/api/v1', '/api/v1'].map((prefix) => ({
    prefix,
    account: new CoinbaseAccount(now, prefix),
    storedResponses: new Map<string, StoredResponse>(),
  }));
  const [sandbox, live] = environments;
  if (!sandbox || !live) throw new Error('Coinbase has two sides');

  const answer: Provider['answer'] = ({ method, url, headers, body }, fails) => {
    try {
      const path = url.pathname;
      const { authorization } = headers;
      const problem = tokenProblem({
        authorization,
        method,
        host: url.host,
        path,
        now: now(),
        keys: publicKeys,
      });
      if (problem) throw new CoinbaseApiError(401, 'unauthorized', problem);
      if (fails) throw new CoinbaseApiError(500, 'internal_server_error', 'Something went wrong');
      if (`${method} ${path}` === 'GET /v2/accounts/USDC') return { status: 200, body: usdcAccount() };
      const environment = environments.find(({ prefix }) => path.startsWith(`${prefix}/`));
      if (!environment) throw new CoinbaseApiError(404, 'not_found', 'No such place');
      const segments = path.slice(environment.prefix.length + 1).split('/');
      const execute = () => {
        const result = handleCoinbaseRequest(environment.account, {
          method,
          segments,
          query: url.searchParams,
          body,
        });
        return { ...result, body: structuredClone(result.body) };
      };
      const key = headers['x-idempotency-key'];
      if (method !== 'POST' || key === undefined) return execute();
      if (typeof key !== 'string' || !UUID_4.test(key))
        throw CoinbaseApiError.invalid('X-Idempotency-Key must be a UUID v4');
      return respondOnce(environment.storedResponses, key, `${path} ${body}`, execute);
    } catch (error) {
      if (!(error instanceof CoinbaseApiError)) throw error;
      return { status: error.status, body: error.body };
    }
  };

  /** Our account for USDC, whichever key asks. */
  const usdcAccount = () => ({
    data: {
      id: 'b2d7a6a0-6a53-5f0b-8f4e-6b1f9c6f2f10',
      name: 'USDC Wallet',
      type: 'wallet',
      currency: { code: 'USDC', exponent: 6, type: 'crypto' },
      balance: { amount: `${amountOf(live.account.balanceCents)}4999`, currency: 'USDC' },
      resource: 'account',
    },
  });

  /** Runs a request once for each idempotency key and repeats the first response after that. */
  function respondOnce(
    storedResponses: Map<string, StoredResponse>,
    key: string,
    content: string,
    execute: () => ReturnType<Provider['answer']>,
  ) {
    const previous = storedResponses.get(key);
    const time = now().getTime();
    if (previous && previous.at > time - IDEMPOTENCY_TTL_MS) {
      if (previous.content === content) return previous.answer;
      throw new CoinbaseApiError(422, 'idempotency_error', 'The key was used with other parameters');
    }
    const result = execute();
    storedResponses.set(key, { content, at: time, answer: result });
    return result;
  }

  const errorBody = (status: number) =>
    new CoinbaseApiError(status, status === 429 ? 'rate_limit_exceeded' : 'internal_server_error', 'Later')
      .body;
  const server = await startProviderServer({ answer, errorBody });
  return {
    ...server,
    sandbox: { base: server.url + sandbox.prefix, account: sandbox.account },
    live: { base: server.url + live.prefix, account: live.account },
    keys,
    webhookSecret,
    latestEvent(account, ref) {
      account.checkout(ref);
      const event = account.events.findLast(({ body }) => 'id' in body && body.id === ref);
      if (!event) throw new Error(`Nothing has happened to ${ref}`);
      return event;
    },
    signedWebhook({ eventId, eventType, body }, secret = webhookSecret) {
      const rawBody = new TextEncoder().encode(JSON.stringify(body));
      const headers = {
        'content-type': 'application/json',
        'x-event-id': eventId,
        'x-event-type': eventType,
      };
      const signature = signCoinbase({ rawBody, secret, at: now(), headers });
      return { rawBody, headers: new Headers({ ...headers, 'x-hook0-signature': signature }) };
    },
  };
}

/** Key pairs in the formats that Coinbase issues, and the public keys that it stores. */
function makeKeys() {
  const ed = generateKeyPairSync('ed25519');
  const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const bytesOf = (part: string | undefined) => Buffer.from(part ?? '', 'base64url');
  const { d, x } = ed.privateKey.export({ format: 'jwk' });
  const seeded = Buffer.concat([bytesOf(d), bytesOf(x)]).toString('base64');
  const keys = {
    ed25519: { keyId: '5b6f2a7e-0f4e-4b41-9d5c-1d0f6a3c9e11', keySecret: seeded },
    es256: {
      keyId: 'organizations/0a/apiKeys/1b',
      keySecret: String(ec.privateKey.export({ format: 'pem', type: 'sec1' })),
    },
  };
  const entry = (alg: CoinbasePublicKey['alg'], key: KeyObject): CoinbasePublicKey => ({ alg, key });
  const publicKeys = new Map([
    [keys.ed25519.keyId, entry('EdDSA', ed.publicKey)],
    [keys.es256.keyId, entry('ES256', ec.publicKey)],
  ]);
  return { keys, publicKeys };
}
