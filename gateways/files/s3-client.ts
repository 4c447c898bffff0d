import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { FileStoreError, type FileStoreErrorCode } from './port.ts';
import type { S3Location } from './s3-url.ts';

/** `timeoutMs` limits each attempt until the response starts; `wait` sleeps between attempts. */
export type S3ClientOptions = {
  now?: () => Date;
  timeoutMs?: number;
  retries?: number;
  wait?: (milliseconds: number) => Promise<unknown>;
};

type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
};

/** The response and how many attempts it took: after a retry, an earlier attempt may already have written. */
type S3Response = { response: Response; attempts: number };

/** Signs requests to one bucket (Signature Version 4) and retries transient failures. */
export class S3Client {
  readonly #aws: AwsClient;
  readonly #base: string;
  readonly #now: () => Date;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #wait: (milliseconds: number) => Promise<unknown>;

  constructor(location: S3Location, options: S3ClientOptions) {
    const { accessKeyId, secretAccessKey, region, endpoint, bucket } = location;
    this.#aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
    this.#base = `${endpoint}/${bucket}`;
    this.#now = options.now ?? (() => new Date());
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#retries = options.retries ?? 3;
    this.#wait = options.wait ?? pause;
  }

  /**
   * The first response that is not a transient failure (5xx, 429, 409, no response), after at most `retries` retries.
   *
   * @throws FileStoreError `unavailable` when no attempt got a response
   */
  async send(request: S3Request): Promise<S3Response> {
    for (let attempts = 1; ; attempts += 1) {
      const last = attempts > this.#retries;
      try {
        const response = await this.#attempt(request);
        const transient = response.status >= 500 || response.status === 429 || response.status === 409;
        if (!transient || last) return { response, attempts };
        await response.body?.cancel();
      } catch (error) {
        if (last) throw new FileStoreError('unavailable', 'The file store does not answer', error);
      }
      await this.#wait(100 * 2 ** attempts);
    }
  }

  /** A presigned link to `key`. */
  async presigned(key: string, ttlSeconds: number, query: Record<string, string>): Promise<string> {
    const url = this.#url({ method: 'GET', key, query: { ...query, 'X-Amz-Expires': String(ttlSeconds) } });
    const signed = await this.#aws.sign(url, {
      method: 'GET',
      aws: { signQuery: true, datetime: this.#stamp() },
    });
    return signed.url;
  }

  async #attempt(request: S3Request): Promise<Response> {
    const { method, headers, body } = request;
    const signed = await this.#aws.sign(this.#url(request), {
      method,
      headers,
      body: body as Uint8Array<ArrayBuffer> | undefined,
      aws: { datetime: this.#stamp() },
    });
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error('No answer in time')), this.#timeoutMs);
    try {
      return await fetch(signed, { signal: stop.signal, redirect: 'manual' });
    } finally {
      clearTimeout(timer);
    }
  }

  #url({ key, query }: S3Request): string {
    const search = query ? `?${new URLSearchParams(query)}` : '';
    return `${this.#base}${key === undefined ? '' : `/${key}`}${search}`;
  }

  #stamp(): string {
    return this.#now()
      .toISOString()
      .replace(/[-:]|\.\d{3}/g, '');
  }
}

/** Converts an error response to a FileStoreError that quotes the store's error code. */
export async function s3Error(response: Response): Promise<FileStoreError> {
  const text = await response.text().catch(() => '');
  const detail = /<Code>([A-Za-z0-9]+)<\/Code>/.exec(text)?.[1];
  const { status } = response;
  const message = `The file store answered ${status}${detail ? ` ${detail}` : ''}`;
  return new FileStoreError(CODES[status] ?? (status >= 500 ? 'unavailable' : 'refused'), message);
}

const CODES: Readonly<Record<number, FileStoreErrorCode>> = {
  401: 'auth',
  403: 'auth',
  409: 'unavailable',
  412: 'conflict',
  416: 'range',
  429: 'unavailable',
};
