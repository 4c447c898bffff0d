import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeS3, startFakeS3 } from '#tests/support/files/fake-s3.ts';
import { type FileStoreFixture, fileStoreContract, textFile } from './contract.ts';
import { openFileStore } from './open.ts';
import { createS3Store } from './s3.ts';
import { parseS3Url } from './s3-url.ts';

const START = new Date('2026-11-20T12:00:00Z');
const noWait = async () => undefined;

/** FILES_URL for the fake server, as an operator would write it. */
function filesUrl({ url, bucket, keys }: FakeS3): string {
  const secret = encodeURIComponent(keys.secretAccessKey);
  return `s3://${keys.accessKeyId}:${secret}@${new URL(url).host}/${bucket}?region=${keys.region}`;
}

fileStoreContract('S3', async (): Promise<FileStoreFixture> => {
  let now = START;
  const double = await startFakeS3({ now: () => now });
  return {
    store: createS3Store(parseS3Url(filesUrl(double)), { now: () => now, wait: noWait }),
    advance(seconds) {
      now = new Date(now.getTime() + seconds * 1000);
    },
    async open(link) {
      const response = await fetch(link);
      const disposition = response.headers.get('content-disposition');
      return { status: response.status, body: await response.text(), disposition };
    },
    sabotage: double.stop,
    stop: double.stop,
  };
});

describe('S3 under faults', () => {
  let double: FakeS3;
  let waits: number[];
  beforeEach(async () => {
    double = await startFakeS3({ now: () => START });
    waits = [];
  });
  afterEach(() => double.stop());

  const open = (change: Partial<ReturnType<typeof parseS3Url>> = {}) =>
    createS3Store(
      { ...parseS3Url(filesUrl(double)), ...change },
      {
        now: () => START,
        retries: 2,
        timeoutMs: 2_000,
        wait: async (milliseconds) => waits.push(milliseconds),
      },
    );

  test.each([[[500, 503]], [['reset', 429]], [['silence']], [['lost', 409]]] as const)(
    'a put survives %j, waiting longer each time',
    async (faults) => {
      double.faults.push(...faults);
      await open().put(textFile('a.txt', 'x'));
      expect(double.objects.get('a.txt')?.body.toString()).toBe('x');
      expect(waits).toEqual([200, 400].slice(0, faults.length));
    },
  );

  test('gives up after the retry limit, as unavailable', async () => {
    double.faults.push(500, 'reset', 'silence', 500);
    await expect(open().head('a.txt')).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect(double.requests).toHaveLength(3);
  });

  test('an ifAbsent put whose response was lost does not conflict with itself', async () => {
    double.faults.push('lost');
    await expect(open().put(textFile('a.txt', 'mine', { ifAbsent: true }))).resolves.toHaveProperty('etag');
    double.faults.push('reset');
    const other = open().put(textFile('a.txt', 'theirs', { ifAbsent: true }));
    await expect(other).rejects.toMatchObject({ code: 'conflict' });
    expect(double.objects.get('a.txt')?.body.toString()).toBe('mine');
  });

  test.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'auth', 'SignatureDoesNotMatch'],
    ['an unknown key', { accessKeyId: 'AKOTHER' }, 'auth', 'InvalidAccessKeyId'],
    ['a wrong region', { region: 'us-east-1' }, 'auth', 'AuthorizationHeaderMalformed'],
    ['a missing bucket', { bucket: 'elsewhere' }, 'refused', 'NoSuchBucket'],
  ])('%s is reported distinctly and not retried', async (_, change, code, detail) => {
    const store = open(change);
    const expected = { code, retryable: false, message: expect.stringContaining(detail) };
    await expect(store.check()).rejects.toMatchObject(expected);
    await expect(store.put(textFile('a.txt', 'x'))).rejects.toMatchObject(expected);
    await expect(store.get('a.txt')).rejects.toMatchObject(expected);
    expect(double.requests).toHaveLength(3);
    expect(double.objects.size).toBe(0);
  });

  test('a signed request follows no redirect', async () => {
    double.faults.push(307);
    await expect(open().head('a.txt')).rejects.toMatchObject({ code: 'refused' });
    expect(double.requests).toHaveLength(1);
  });

  test('stores type, digest and cache-control with the content', async () => {
    const file = textFile('a.txt', 'x', { cacheControl: 'public, max-age=31536000, immutable' });
    await open().put(file);
    expect(double.objects.get('a.txt')?.headers).toEqual({
      'content-type': 'text/plain',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-amz-meta-sha256': file.sha256,
    });
  });

  test('the fake S3 server rejects unsigned requests', async () => {
    await open().put(textFile('a.txt', 'x'));
    expect((await fetch(`${double.url}/media/a.txt`)).status).toBe(403);
    expect((await fetch(`${double.url}/media/a.txt`, { method: 'DELETE' })).status).toBe(403);
    expect(double.objects.size).toBe(1);
  });

  test('skips foreign keys in the bucket', async () => {
    await open().put(textFile('a.txt', 'x'));
    const stored = double.objects.get('a.txt');
    if (stored) for (const key of ['Tom & <Jerry>.txt', 'README', 'b.txt']) double.objects.set(key, stored);
    expect((await open().list('')).keys).toEqual(['a.txt', 'b.txt']);
    expect(await open().list('', { limit: 1 })).toEqual({ keys: [], next: 'README' });
  });
});

describe('FILES_URL', () => {
  test.each([
    ['s3://K:S@s3.example.com/photos?region=eu-west-1', 'https://s3.example.com', 'eu-west-1', 'S'],
    ['s3://K:S@s3.example.com:9000/photos/', 'https://s3.example.com:9000', 'us-east-1', 'S'],
    ['s3://K:S@10.0.0.5:9000/photos?tls=off', 'http://10.0.0.5:9000', 'us-east-1', 'S'],
    ['s3://K:a%2Fb%2Bc@localhost:9000/photos', 'http://localhost:9000', 'us-east-1', 'a/b+c'],
    ['s3://K:S@127.0.0.1/photos?tls=on', 'https://127.0.0.1', 'us-east-1', 'S'],
  ])('%s', (text, endpoint, region, secretAccessKey) => {
    expect(parseS3Url(text)).toEqual({
      endpoint,
      region,
      secretAccessKey,
      bucket: 'photos',
      accessKeyId: 'K',
    });
  });

  test.each([
    'https://K:S3CRET@s3.example.com/photos',
    's3://s3.example.com/photos',
    's3://K@s3.example.com/photos',
    's3://K:S3CRET@s3.example.com',
    's3://K:S3CRET@s3.example.com/a/b',
    's3://K:S3CRET@s3.example.com/photos?tls=maybe',
    's3://K:%S3CRET@s3.example.com/photos',
    'photos',
  ])('%s fails at startup without leaking the secret', (text) => {
    const opening = () => openFileStore({ filesUrl: text, folder: '/nowhere', secret: 's' });
    expect(opening).toThrow(/^FILES_URL must look like s3:\/\//);
    expect(opening).not.toThrow(/S3CRET/);
  });
});
