import { createHmac, timingSafeEqual } from 'node:crypto';
import { PaymentError } from './port.ts';

/** A body as sent; a string is encoded as UTF-8. */
type RawBody = string | Uint8Array;

/** How far a timestamp may be off, in either direction. */
const TOLERANCE_MS = 300_000;
const TIMESTAMP = /^\d{1,12}$/;
/** The headers covered by Coinbase's `v1` signature, in order. */
const COINBASE_HEADERS = ['content-type', 'x-event-id', 'x-event-type'] as const;

/** The `Stripe-Signature` header for a body sent at a time: HMAC-SHA256 of `timestamp.body`. */
export function signStripe(rawBody: RawBody, secret: string, at: Date): string {
  const timestamp = timestampOf(at);
  return `t=${timestamp},v1=${hmac(secret, `${timestamp}.`, rawBody)}`;
}

/**
 * Verifies Stripe's signature. The header may contain several `v1`, and there may be several secrets, as while one is replaced.
 * @throws PaymentError `bad_signature` if it is missing or wrong, or its timestamp is more than five minutes off `now`
 */
export function verifyStripe(
  rawBody: Uint8Array,
  header: string | null,
  secrets: string | readonly string[],
  now: Date,
): void {
  const all = [secrets].flat().filter((secret) => secret !== '');
  const parts = partsOf(header, all[0] ?? '');
  const timestamp = freshTimestamp(parts, now);
  requireMatch(
    parts.get('v1'),
    all.map((secret) => hmac(secret, `${timestamp}.`, rawBody)),
  );
}

/** The signed parts of a Coinbase webhook; header names are lower case. */
interface CoinbaseSignatureInput {
  rawBody: RawBody;
  secret: string;
  at: Date;
  headers: Record<string, string>;
}

/**
 * The `X-Hook0-Signature` header: `v0` is the HMAC-SHA256 of `timestamp.body`, `v1` of
 * `timestamp.names.values joined by dots.body`.
 * @throws Error when a header to be signed is missing
 */
export function signCoinbase({ rawBody, secret, at, headers }: CoinbaseSignatureInput): string {
  const timestamp = timestampOf(at);
  const names = COINBASE_HEADERS.join(' ');
  const values = COINBASE_HEADERS.map((name) => {
    const value = headers[name];
    if (value === undefined) throw new Error(`The header ${name} is signed and missing`);
    return value;
  });
  const v0 = hmac(secret, `${timestamp}.`, rawBody);
  const v1 = hmac(secret, `${timestamp}.${names}.${values.join('.')}.`, rawBody);
  return `t=${timestamp},v0=${v0},h=${names},v1=${v1}`;
}

/**
 * Verifies Coinbase's signature: `v1` where present, else `v0`.
 * @throws PaymentError `bad_signature` if it is missing or wrong, a signed header is missing, or its timestamp is more than
 *   five minutes off `now`
 */
export function verifyCoinbase({
  rawBody,
  headers,
  secret,
  now,
}: {
  rawBody: Uint8Array;
  headers: Headers;
  secret: string;
  now: Date;
}): void {
  const parts = partsOf(headers.get('x-hook0-signature'), secret);
  const timestamp = freshTimestamp(parts, now);
  if (!parts.has('v1')) {
    requireMatch(parts.get('v0'), [hmac(secret, `${timestamp}.`, rawBody)]);
    return;
  }
  const names = parts.get('h')?.[0] ?? '';
  const values = names.split(' ').map((name) => requiredHeader(headers, name));
  requireMatch(parts.get('v1'), [hmac(secret, `${timestamp}.${names}.${values.join('.')}.`, rawBody)]);
}

const timestampOf = (at: Date) => String(Math.floor(at.getTime() / 1000));
const refused = (reason: string) => new PaymentError('bad_signature', reason);

function hmac(secret: string, prefix: string, rawBody: RawBody): string {
  return createHmac('sha256', secret).update(prefix).update(rawBody).digest('hex');
}

/** The header's `name=value` pairs. An empty secret is rejected, because anyone could sign with it. */
function partsOf(header: string | null, secret: string): Map<string, string[]> {
  if (secret === '') throw refused('No secret to verify with');
  if (!header) throw refused('The message is not signed');
  const parts = new Map<string, string[]>();
  for (const part of header.split(',')) {
    const [name = '', ...value] = part.split('=');
    parts.set(name.trim(), [...(parts.get(name.trim()) ?? []), value.join('=').trim()]);
  }
  return parts;
}

function freshTimestamp(parts: Map<string, string[]>, now: Date): string {
  const timestamp = parts.get('t')?.[0] ?? '';
  if (!TIMESTAMP.test(timestamp)) throw refused('The signature has no stamp');
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > TOLERANCE_MS)
    throw refused('The stamp of the signature is more than five minutes away');
  return timestamp;
}

function requiredHeader(headers: Headers, name: string): string {
  const value = /^[a-z0-9-]+$/i.test(name) ? headers.get(name) : null;
  if (value === null) throw refused('A signed header is missing');
  return value;
}

function requireMatch(given: string[] = [], expected: readonly string[]): void {
  const found = given.flatMap((value) =>
    expected.map((right) => {
      const [a, b] = [Buffer.from(value), Buffer.from(right)];
      return a.length === b.length && timingSafeEqual(a, b);
    }),
  );
  if (!found.includes(true)) throw refused('The signature does not belong to this message');
}
