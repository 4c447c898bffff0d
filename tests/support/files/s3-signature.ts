import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type S3Keys = { accessKeyId: string; secretAccessKey: string; region: string };

/** The signature data that the request carries in its header or query. */
type SignatureData = {
  credential: string;
  signedHeaders: string[];
  signature: string;
  timestamp: string;
  payloadHash: string;
  expiresInSeconds: number | null;
};

/**
 * Verifies the Signature Version 4 of a request as S3 does; returns null when it is valid, otherwise the S3 error code.
 * Checked are the key, the scope (day, region, service), the time, the digest of the body, and the signature itself.
 */
export function signatureProblem(
  request: IncomingMessage,
  url: URL,
  body: Uint8Array,
  keys: S3Keys,
  now: Date,
): string | null {
  const claim = url.searchParams.has('X-Amz-Signature') ? fromQuery(url) : fromHeaders(request);
  if (claim === null) return 'AccessDenied';
  const [accessKeyId, day, region, service, ending] = claim.credential.split('/');
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (
    region !== keys.region ||
    service !== 's3' ||
    ending !== 'aws4_request' ||
    !claim.timestamp.startsWith(`${day}`)
  )
    return 'AuthorizationHeaderMalformed';
  const timeError = timeProblem(claim, now);
  if (timeError !== null) return timeError;
  if (!coversRequiredHeaders(request, claim)) return 'AccessDenied';
  if (/^[0-9a-f]{64}$/.test(claim.payloadHash) && claim.payloadHash !== sha256(body))
    return 'XAmzContentSHA256Mismatch';
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', claim.timestamp, scope, sha256(canonical(request, url, claim))].join(
    '\n',
  );
  const signingKey = [day ?? '', region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, part) => hmac(key, part),
    `AWS4${keys.secretAccessKey}`,
  );
  const expected = hmac(signingKey, text);
  const actual = Buffer.from(claim.signature, 'hex');
  return actual.length === expected.length && timingSafeEqual(actual, expected)
    ? null
    : 'SignatureDoesNotMatch';
}

function fromQuery({ searchParams }: URL): SignatureData {
  const value = (name: string) => searchParams.get(name) ?? '';
  return {
    credential: value('X-Amz-Credential'),
    signedHeaders: value('X-Amz-SignedHeaders').split(';'),
    signature: value('X-Amz-Signature'),
    timestamp: value('X-Amz-Date'),
    payloadHash: 'UNSIGNED-PAYLOAD',
    expiresInSeconds: Number(value('X-Amz-Expires')),
  };
}

function fromHeaders({ headers }: IncomingMessage): SignatureData | null {
  const form = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/;
  const [, credential, signed, signature] = form.exec(headers.authorization ?? '') ?? [];
  const timestamp = headers['x-amz-date'];
  const payloadHash = headers['x-amz-content-sha256'];
  if (
    !credential ||
    !signed ||
    !signature ||
    typeof timestamp !== 'string' ||
    typeof payloadHash !== 'string'
  )
    return null;
  return {
    credential,
    signedHeaders: signed.split(';'),
    signature,
    timestamp,
    payloadHash,
    expiresInSeconds: null,
  };
}

function timeProblem({ timestamp, expiresInSeconds }: SignatureData, now: Date): string | null {
  const signedAt = Date.parse(
    timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  if (Number.isNaN(signedAt)) return 'AccessDenied';
  const ageSeconds = (now.getTime() - signedAt) / 1000;
  if (expiresInSeconds === null) return Math.abs(ageSeconds) > 900 ? 'RequestTimeTooSkewed' : null;
  if (!(expiresInSeconds >= 1 && expiresInSeconds <= 604_800)) return 'AuthorizationQueryParametersError';
  return ageSeconds > expiresInSeconds || ageSeconds < -900 ? 'AccessDenied' : null;
}

/** The host and every `x-amz-` header must be signed, or they could be changed in transit. */
function coversRequiredHeaders({ headers }: IncomingMessage, { signedHeaders }: SignatureData): boolean {
  const sensitive = Object.keys(headers).filter((name) => name.startsWith('x-amz-'));
  return ['host', ...sensitive].every((name) => signedHeaders.includes(name));
}

function canonical(
  { method, headers }: IncomingMessage,
  url: URL,
  { signedHeaders, payloadHash }: SignatureData,
): string {
  const path = url.pathname.split('/').map((segment) => encoded(decodeURIComponent(segment)));
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort();
  const lines = signedHeaders.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  return [method, path.join('/'), query.join('&'), lines.join(''), signedHeaders.join(';'), payloadHash].join(
    '\n',
  );
}

function encoded(text: string): string {
  const hex = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, hex);
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
