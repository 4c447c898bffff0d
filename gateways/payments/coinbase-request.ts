import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type CoinbaseKey, coinbaseTokens, type TokenScope } from './coinbase-jwt.ts';
import { PaymentError, type PaymentErrorCode } from './port.ts';

export interface CoinbaseRequest {
  method: 'GET' | 'POST';
  /** below the base, such as `/checkouts` */
  path: string;
  query?: Record<string, string>;
  body?: object;
  idempotencyKey?: string;
}

/** `attemptMs` is how long one attempt may take with its body; there are two at most. */
export interface CoinbaseAccess extends CoinbaseKey {
  base: string;
  now: () => Date;
  attemptMs: number;
}

/** Signs requests to Coinbase, and repeats one once, with the same key, that met no answer or one of 500 or above. */
export class CoinbaseClient {
  readonly #access: CoinbaseAccess;
  readonly #token: (scope: TokenScope) => string;

  constructor(access: CoinbaseAccess) {
    this.#access = access;
    this.#token = coinbaseTokens(access);
  }

  /**
   * The answer in the shape that is asked for.
   * @throws PaymentError with Coinbase's error type and correlation id in its message, never its text
   */
  async send<T>(shape: z.ZodType<T>, request: CoinbaseRequest): Promise<T> {
    const { status, text } = await this.#attempt(request).then(
      (answer) => (answer.status >= 500 ? this.#attempt(request) : answer),
      () => this.#attempt(request),
    );
    const answer = jsonOf(text);
    if (status < 200 || status > 299) throw problem(status, answer);
    const understood = shape.safeParse(answer);
    if (!understood.success)
      throw new PaymentError('unavailable', 'Coinbase gave an answer that cannot be understood');
    return understood.data;
  }

  async #attempt({ method, path, query, body, idempotencyKey }: CoinbaseRequest) {
    const { base, now, attemptMs } = this.#access;
    const url = new URL(base + path);
    const token = this.#token({ method, host: url.host, path: url.pathname, now: now() });
    url.search = new URLSearchParams(query).toString();
    try {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': uuidOf(idempotencyKey) }),
        },
        body: body ? JSON.stringify(body) : undefined,
        redirect: 'manual',
        signal: AbortSignal.timeout(attemptMs),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      throw new PaymentError('unavailable', 'Coinbase does not answer', error);
    }
  }
}

/** A key of ours as the UUID (version 4 by its form) that Coinbase asks for: the same each time. */
export function uuidOf(key: string): string {
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

function problem(status: number, answer: unknown): PaymentError {
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
