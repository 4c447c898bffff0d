import type { ByteRange, FileMetadata, FileStore, OpenFile, PutFile } from './port.ts';
import { S3Client, type S3ClientOptions, s3Error } from './s3-client.ts';
import type { S3Location } from './s3-url.ts';
import {
  attachmentDisposition,
  checkedKey,
  checkedPage,
  checkLifetime,
  checkPut,
  checkRange,
  isKey,
} from './validation.ts';

/** Stores files in a bucket of any S3-compatible service, with path-style addressing. */
export function createS3Store(location: S3Location, options: S3ClientOptions = {}): FileStore {
  const client = new S3Client(location, options);
  return {
    put: (file) => put(client, file),
    head: async (key) => head(client, checkedKey(key)),
    get: async (key, range) => get(client, checkedKey(key), range),
    async delete(key) {
      const { response } = await client.send({ method: 'DELETE', key: checkedKey(key) });
      if (!response.ok && response.status !== 404) throw await s3Error(response);
      await response.body?.cancel();
    },
    list: (prefix, page) => list(client, prefix, page),
    async readUrl(key, { ttlSeconds, downloadName }) {
      checkLifetime(ttlSeconds);
      const saveAs = downloadName === undefined ? null : attachmentDisposition(downloadName);
      return client.presigned(
        checkedKey(key),
        ttlSeconds,
        saveAs ? { 'response-content-disposition': saveAs } : {},
      );
    },
    async check() {
      await list(client, '', { limit: 1 });
    },
  };
}

async function put(client: S3Client, file: PutFile): Promise<{ etag: string }> {
  checkPut(file);
  const { key, body, contentType, sha256, cacheControl, ifAbsent } = file;
  const headers = {
    'content-type': contentType,
    'x-amz-content-sha256': sha256,
    'x-amz-meta-sha256': sha256,
    ...(cacheControl ? { 'cache-control': cacheControl } : {}),
    ...(ifAbsent ? { 'if-none-match': '*' } : {}),
  };
  const { response, attempts } = await client.send({ method: 'PUT', key, headers, body });
  if (response.ok) {
    await response.body?.cancel();
    return { etag: response.headers.get('etag') ?? '' };
  }
  // An earlier attempt whose response was lost may have written the file: then it is we who hold the key.
  if (response.status === 412 && attempts > 1) {
    const { response: stored } = await client.send({ method: 'HEAD', key });
    if (stored.headers.get('x-amz-meta-sha256') === sha256) return { etag: stored.headers.get('etag') ?? '' };
  }
  throw await s3Error(response);
}

async function head(client: S3Client, key: string): Promise<FileMetadata | null> {
  const { response } = await client.send({ method: 'HEAD', key });
  if (response.status === 404) return null;
  if (!response.ok) throw await s3Error(response);
  return {
    size: Number(response.headers.get('content-length')),
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    sha256: response.headers.get('x-amz-meta-sha256') ?? undefined,
  };
}

async function get(client: S3Client, key: string, range?: ByteRange): Promise<OpenFile | null> {
  if (range) checkRange(range);
  const headers = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : undefined;
  const { response } = await client.send({ method: 'GET', key, headers });
  if (!response.ok) {
    const failure = await s3Error(response);
    if (response.status === 404 && !failure.message.endsWith('NoSuchBucket')) return null;
    throw failure;
  }
  const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return {
    body: response.body ?? new Blob([]).stream(),
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    total: Number(whole ?? response.headers.get('content-length')),
  };
}

async function list(client: S3Client, prefix: string, page: { after?: string; limit?: number } = {}) {
  const limit = checkedPage(prefix, page);
  const query = {
    'list-type': '2',
    'max-keys': String(limit),
    prefix,
    ...(page.after ? { 'start-after': page.after } : {}),
  };
  const { response } = await client.send({ method: 'GET', query });
  if (!response.ok) throw await s3Error(response);
  const xml = await response.text();
  const found = [...xml.matchAll(/<Contents>.*?<Key>(.*?)<\/Key>.*?<\/Contents>/gs)].map(([, key = '']) =>
    plain(key),
  );
  const more = /<IsTruncated>\s*true\s*<\/IsTruncated>/.test(xml);
  return { keys: found.filter(isKey), ...(more ? { next: found.at(-1) } : {}) };
}

/** Unescapes XML text. The ampersand comes last so that nothing is unescaped twice. */
function plain(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
