import { createHash } from 'node:crypto';
import { type ByteRange, FileStoreError, type PutFile } from './port.ts';

/** The only content types that may be stored, by file extension. None that a browser would execute (HTML, SVG). */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  txt: 'text/plain',
  json: 'application/json',
  zip: 'application/zip',
};

const KEY = /^([A-Za-z0-9_-]{1,100}\/){0,8}[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.([a-z0-9]{1,5})$/;
const PREFIX = /^[A-Za-z0-9_./-]{0,900}$/;
const WEEK_SECONDS = 604_800;

/** Whether `key` is a valid file key: folders without dots, then a name with a known extension. */
export function isKey(key: string): boolean {
  const ending = KEY.exec(key)?.[2];
  return ending !== undefined && Object.hasOwn(CONTENT_TYPES, ending);
}

/**
 * Returns a valid key unchanged. Invalid are absolute, climbing (`..`) and hidden paths, characters that need escaping,
 * and files where another key has a folder, so that every key works both in a folder and in a bucket.
 *
 * @throws FileStoreError `invalid`
 */
export function checkedKey(key: string): string {
  if (!isKey(key))
    throw new FileStoreError('invalid', `Not a file key: ${JSON.stringify(key.slice(0, 120))}`);
  return key;
}

/** The content type for the extension of a valid key. */
export function contentTypeOf(key: string): string {
  return CONTENT_TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}

/**
 * Rejects a file whose key, type or digest does not match: a type that contradicts the extension would be served as
 * something that it is not.
 *
 * @throws FileStoreError `invalid`
 */
export function checkPut({ key, body, contentType, sha256 }: PutFile): void {
  const expected = contentTypeOf(checkedKey(key));
  if (contentType !== expected)
    throw new FileStoreError('invalid', `${key} must have the type ${expected}, not ${contentType}`);
  if (createHash('sha256').update(body).digest('hex') !== sha256)
    throw new FileStoreError('invalid', `The digest of ${key} does not match its content`);
}

/** @throws FileStoreError `invalid` */
export function checkRange({ start, end }: ByteRange): void {
  const whole = Number.isSafeInteger(start) && (end === undefined || Number.isSafeInteger(end));
  if (!whole || start < 0 || (end !== undefined && end < start))
    throw new FileStoreError('invalid', `Not a range of bytes: ${start}-${end ?? ''}`);
}

/** The page size for `list`. @throws FileStoreError `invalid` */
export function checkedPage(prefix: string, { limit = 1000 }: { limit?: number } = {}): number {
  if (!PREFIX.test(prefix)) throw new FileStoreError('invalid', 'Not a prefix of file keys');
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new FileStoreError('invalid', 'A page holds 1 to 1000 keys');
  return limit;
}

/** @throws FileStoreError `invalid` */
export function checkLifetime(ttlSeconds: number): void {
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > WEEK_SECONDS)
    throw new FileStoreError('invalid', 'A link lives from 1 second to 7 days');
}

/** The `Content-Disposition` that downloads a file under this name (RFC 6266), whatever characters it contains. */
export function attachmentDisposition(name: string): string {
  const clean =
    name
      .replace(/[\p{C}/\\]+/gu, ' ')
      .trim()
      .slice(0, 150) || 'file';
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(clean.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
