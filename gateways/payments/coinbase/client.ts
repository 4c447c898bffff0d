import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#platform/parse-json.ts';
import { PaymentError, type PaymentErrorCode } from '../port.ts';
import { type CoinbaseKey, createTokenSigner, type TokenScope } from './jwt.ts';

export interface CoinbaseRequest {
  method: 'GET' | 'POST';
  /** relative to the base URL, such as `/checkouts` */
  path: string;
  /** instead of the configured one */
  base?: string;
  query?: Record<string, string>;
  body?: object;
  idempotencyKey?: string;
}

/** `attemptMs` limits one attempt including its body; there are at most two. */
interface CoinbaseClientOptions extends CoinbaseKey {
  base: string;
  now: () => Date;
  attemptTimeoutMs: number;
}

/** Signs requests to Coinbase and retries once, with the same key, after no response or a 5xx. */
export class CoinbaseClient {
  readonly #access: CoinbaseClientOptions;
  readonly #token: (scope: TokenScope) => string;

  constructor(access: CoinbaseClientOptions) {
    this.#access = access;
    this.#token = createTokenSigner(access);
  }

  /**
   * The response, validated against `shape`.
   * @throws PaymentError with Coinbase's error type and correlation id in the message, never its text
   */
  async send<T>(shape: z.ZodType<T>, request: CoinbaseRequest): Promise<T> {
    const { status, text } = await this.#attempt(request).then(
      (answer) => (answer.status >= 500 ? this.#attempt(request) : answer),
      () => this.#attempt(request),
    );
    const answer = parseJson(text);
    if (status < 200 || status > 299) throw coinbaseError(status, answer);
    const understood = shape.safeParse(answer);
    if (!understood.success)
      throw new PaymentError('unavailable', 'Coinbase gave an answer that cannot be understood');
    return understood.data;
  }

  async #attempt({ method, path, query, body, idempotencyKey, ...request }: CoinbaseRequest) {
    const { now, attemptTimeoutMs } = this.#access;
    const url = new URL((request.base ?? this.#access.base) + path);
    const token = this.#token({ method, host: url.host, path: url.pathname, now: now() });
    url.search = new URLSearchParams(query).toString();
    try {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyUuid(idempotencyKey) }),
        },
        body: body ? JSON.stringify(body) : undefined,
        redirect: 'manual',
        signal: AbortSignal.timeout(attemptTimeoutMs),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      throw new PaymentError('unavailable', 'Coinbase does not answer', error);
    }
  }
}

/** Maps an idempotency key deterministically to a UUID in version 4 format, which Coinbase requires. */
export function idempotencyUuid(key: string): string {
  const bytes = createHash('sha256').update(key).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const Refusal = z.object({
  errorType: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .catch('unknown'),
  correlationId: z
    .string()
    .regex(/^[\w-]{1,80}$/)
    .optional()
    .catch(undefined),
});

function coinbaseError(status: number, answer: unknown): PaymentError {
  const refusal = Refusal.safeParse(answer).data;
  const code = TYPES[refusal?.errorType ?? ''] ?? STATUSES[status] ?? 'unavailable';
  const details = [status, refusal?.errorType, refusal?.correlationId].filter(Boolean).join(', ');
  return new PaymentError(code, `Coinbase: ${details}`);
}

const TYPES: Readonly<Record<string, PaymentErrorCode>> = {
  idempotency_error: 'conflict',
  rate_limit_exceeded: 'rate_limited',
};

const STATUSES: Readonly<Record<number, PaymentErrorCode>> = {
  400: 'invalid',
  401: 'auth',
  403: 'auth',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid',
  429: 'rate_limited',
};
