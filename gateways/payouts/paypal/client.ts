import type { z } from 'zod';
import { parseJson } from '#platform/parse-json.ts';
import { PaymentError, type PaymentErrorCode } from '../../payments/port.ts';
import { Refusal, Token } from './shapes.ts';

/** A token is asked for anew so long before it ends. */
const TOKEN_MARGIN_MS = 60_000;

interface PayPalRequest {
  method: 'GET' | 'POST';
  path: string;
  query?: Record<string, string>;
  /** JSON */
  body?: string;
}

/** `attemptMs` limits one attempt including its body; there are at most two of a call. */
interface PayPalClientOptions {
  clientId: string;
  clientSecret: string;
  base: string;
  now: () => Date;
  attemptTimeoutMs: number;
}

interface Answer {
  status: number;
  body: unknown;
}

/** What PayPal refused, and by which name. */
export class PayPalRefusal extends PaymentError {
  readonly refusal: Refusal;

  constructor(code: PaymentErrorCode, status: number, refusal: Refusal) {
    const details = [status, refusal.name, refusal.debug_id].filter(Boolean).join(', ');
    super(code, `PayPal: ${details}`);
    this.refusal = refusal;
  }
}

/** Calls of PayPal's API with a token that is kept while it is valid. Retries once after no response, a 5xx or a refused token. */
export class PayPalClient {
  readonly #options: PayPalClientOptions;
  #token: { value: string; until: number } | null = null;
  #asking: Promise<string> | null = null;

  constructor(options: PayPalClientOptions) {
    this.#options = options;
  }

  /**
   * The response, validated against `shape`.
   * @throws PayPalRefusal with PayPal's name of the error and its id, never its text; PaymentError `unavailable`
   */
  async send<T>(shape: z.ZodType<T>, request: PayPalRequest): Promise<T> {
    const { status, body } = await this.#attempt(request).then(
      (answer) => (this.#isWorthRetrying(answer) ? this.#attempt(request) : answer),
      (error: unknown) => {
        if (error instanceof PaymentError && error.code === 'auth') throw error;
        return this.#attempt(request);
      },
    );
    if (status < 200 || status > 299) throw refused(status, body);
    const understood = shape.safeParse(body);
    if (!understood.success)
      throw new PaymentError('unavailable', 'PayPal gave an answer that cannot be understood');
    return understood.data;
  }

  #isWorthRetrying({ status }: Answer): boolean {
    if (status === 401) this.#token = null;
    return status === 401 || status >= 500;
  }

  async #attempt({ method, path, query, body }: PayPalRequest): Promise<Answer> {
    const url = new URL(this.#options.base + path);
    url.search = new URLSearchParams(query).toString();
    return this.#fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${await this.#accessToken()}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
  }

  /** The token; several calls at a time ask for it once. */
  #accessToken(): Promise<string> {
    if (this.#token && this.#token.until > this.#options.now().getTime())
      return Promise.resolve(this.#token.value);
    this.#asking ??= this.#askForToken().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #askForToken(): Promise<string> {
    const { clientId, clientSecret, base, now } = this.#options;
    const asked = now().getTime();
    const { status, body } = await this.#fetch(new URL(`${base}/v1/oauth2/token`), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    if (status === 400 || status === 401 || status === 403)
      throw new PaymentError('auth', `PayPal refuses our keys (${status})`);
    const token = Token.safeParse(body);
    if (status !== 200 || !token.success) throw refused(status === 200 ? 502 : status, body);
    const { access_token: value, expires_in: seconds } = token.data;
    this.#token = { value, until: asked + seconds * 1000 - TOKEN_MARGIN_MS };
    return value;
  }

  async #fetch(url: URL, init: RequestInit): Promise<Answer> {
    try {
      const signal = AbortSignal.timeout(this.#options.attemptTimeoutMs);
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      return { status: response.status, body: parseJson(await response.text()) };
    } catch (error) {
      throw new PaymentError('unavailable', 'PayPal does not answer', error);
    }
  }
}

function refused(status: number, body: unknown): PayPalRefusal {
  const refusal = Refusal.catch({ name: 'UNKNOWN', details: [] }).parse(body);
  return new PayPalRefusal(STATUSES[status] ?? 'unavailable', status, refusal);
}

const STATUSES: Readonly<Record<number, PaymentErrorCode>> = {
  400: 'invalid',
  401: 'auth',
  403: 'auth',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid',
  429: 'rate_limited',
};
