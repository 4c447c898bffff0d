import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { signCoinbase } from '#gateways/payments/signature.ts';
import { CoinbaseAccount, type CoinbaseEvent } from './coinbase-account.ts';
import { answerCoinbase } from './coinbase-desk.ts';
import { CoinbaseRefusal } from './coinbase-refusal.ts';
import { type CoinbasePublicKey, tokenProblem } from './coinbase-token.ts';
import { type Provider, type ProviderServer, startProviderServer } from './provider-server.ts';

export type CoinbaseKeyPair = { keyId: string; keySecret: string };

export type CoinbaseDouble = ProviderServer & {
  /** Base addresses, and what lies behind them: the same keys, other checkouts. */
  sandbox: { base: string; account: CoinbaseAccount };
  live: { base: string; account: CoinbaseAccount };
  /** One key of each kind that Coinbase gives out. */
  keys: { ed25519: CoinbaseKeyPair; es256: CoinbaseKeyPair };
  webhookSecret: string;
  /** The newest event about a checkout. */
  newest(account: CoinbaseAccount, ref: string): CoinbaseEvent;
  /** An event as it is posted now; signed with another secret if one is given. */
  signed(event: CoinbaseEvent, secret?: string): { rawBody: Uint8Array; headers: Headers };
};

type Kept = { content: string; at: number; answer: ReturnType<Provider['answer']> };

const KEPT_MS = 24 * 3_600_000;
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * A small Coinbase Business in this process. It checks every token with the public key, takes what its documentation allows
 * and nothing else, and repeats an answer to a key. Events wait in `account.events`; a test delivers them as it likes.
 */
export async function startCoinbaseDouble({ now }: { now: () => Date }): Promise<CoinbaseDouble> {
  const webhookSecret = 'double-of-coinbase-hook';
  const { keys, registered } = makeKeys();
  const sides = ['/sandbox/api/v1', '/api/v1'].map((prefix) => ({
    prefix,
    account: new CoinbaseAccount(now),
    kept: new Map<string, Kept>(),
  }));
  const [sandbox, live] = sides;
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
        keys: registered,
      });
      if (problem) throw new CoinbaseRefusal(401, 'unauthorized', problem);
      if (fails) throw new CoinbaseRefusal(500, 'internal_server_error', 'Something went wrong');
      const side = sides.find(({ prefix }) => path.startsWith(`${prefix}/`));
      if (!side) throw new CoinbaseRefusal(404, 'not_found', 'No such place');
      const steps = path.slice(side.prefix.length + 1).split('/');
      const work = () => {
        const done = answerCoinbase(side.account, { method, steps, query: url.searchParams, body });
        return { ...done, body: structuredClone(done.body) };
      };
      const key = headers['x-idempotency-key'];
      if (method !== 'POST' || key === undefined) return work();
      if (typeof key !== 'string' || !UUID_4.test(key))
        throw CoinbaseRefusal.invalid('X-Idempotency-Key must be a UUID v4');
      return once(side.kept, key, `${path} ${body}`, work);
    } catch (error) {
      if (!(error instanceof CoinbaseRefusal)) throw error;
      return { status: error.status, body: error.body };
    }
  };

  /** Answers a request with a key once, and again what was answered then. */
  function once(
    kept: Map<string, Kept>,
    key: string,
    content: string,
    work: () => ReturnType<Provider['answer']>,
  ) {
    const before = kept.get(key);
    const time = now().getTime();
    if (before && before.at > time - KEPT_MS) {
      if (before.content === content) return before.answer;
      throw new CoinbaseRefusal(422, 'idempotency_error', 'The key was used with other parameters');
    }
    const done = work();
    kept.set(key, { content, at: time, answer: done });
    return done;
  }

  const refusal = (status: number) =>
    new CoinbaseRefusal(status, status === 429 ? 'rate_limit_exceeded' : 'internal_server_error', 'Later')
      .body;
  const server = await startProviderServer({ answer, refusal });
  return {
    ...server,
    sandbox: { base: server.url + sandbox.prefix, account: sandbox.account },
    live: { base: server.url + live.prefix, account: live.account },
    keys,
    webhookSecret,
    newest(account, ref) {
      account.checkout(ref);
      const event = account.events.findLast(({ body }) => 'id' in body && body.id === ref);
      if (!event) throw new Error(`Nothing has happened to ${ref}`);
      return event;
    },
    signed({ eventId, eventType, body }, secret = webhookSecret) {
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

/** Keys in the forms in which Coinbase hands them out, and what it keeps of them. */
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
  const registered = new Map([
    [keys.ed25519.keyId, entry('EdDSA', ed.publicKey)],
    [keys.es256.keyId, entry('ES256', ec.publicKey)],
  ]);
  return { keys, registered };
}
