import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { FileStoreError, type FileStoreErrorCode } from './port.ts';
import type { S3Location } from './s3-url.ts';

/** `timeoutMs` is how long one attempt may take until the answer begins; `wait` passes the time between attempts. */
export type S3RequestOptions = {
  now?: () => Date;
  timeoutMs?: number;
  retries?: number;
  wait?: (milliseconds: number) => Promise<unknown>;
};

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
};

/** The answer and how many attempts it took: behind a second attempt a write may have happened already. */
export type S3Answer = { response: Response; attempts: number };

/** Signs requests to one bucket (Signature Version 4) and repeats those that failed for a passing reason. */
export class S3Client {
  readonly #aws: AwsClient;
  readonly #base: string;
  readonly #now: () => Date;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #wait: (milliseconds: number) => Promise<unknown>;

  constructor(location: S3Location, options: S3RequestOptions) {
    const { accessKeyId, secretAccessKey, region, endpoint, bucket } = location;
    this.#aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
    this.#base = `${endpoint}/${bucket}`;
    this.#now = options.now ?? (() => new Date());
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#retries = options.retries ?? 3;
    this.#wait = options.wait ?? pause;
  }

  /**
   * The first answer that is not a passing failure (5xx, 429, 409, no answer), after at most `retries` repeats.
   *
   * @throws FileStoreError `unavailable` when no attempt was answered
   */
  async send(request: S3Request): Promise<S3Answer> {
    for (let attempts = 1; ; attempts += 1) {
      const last = attempts > this.#retries;
      try {
        const response = await this.#attempt(request);
        const passing = response.status >= 500 || response.status === 429 || response.status === 409;
        if (!passing || last) return { response, attempts };
        await response.body?.cancel();
      } catch (error) {
        if (last) throw new FileStoreError('unavailable', 'The file store does not answer', error);
      }
      await this.#wait(100 * 2 ** attempts);
    }
  }

  /** A link to `key` that carries its signature. */
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

/** Turns an answer that is no success into our error, with the code that the store gave. */
export async function s3Failure(response: Response): Promise<FileStoreError> {
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
