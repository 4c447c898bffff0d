import { createHmac, timingSafeEqual } from 'node:crypto';
import { PaymentError } from './port.ts';

/** A body as it stands on the wire; a text is taken as UTF-8. */
type RawBody = string | Uint8Array;

/** How far a stamp may lie in the past or in the future. */
const TOLERANCE_MS = 300_000;
const STAMP = /^\d{1,12}$/;
/** The headers that Coinbase's second signature covers, in the order in which it names them. */
const COINBASE_HEADERS = ['content-type', 'x-event-id', 'x-event-type'] as const;

/** The value of `Stripe-Signature` for a body sent at a time: HMAC-SHA256 of `stamp.body`. */
export function signStripe(rawBody: RawBody, secret: string, at: Date): string {
  const stamp = stampOf(at);
  return `t=${stamp},v1=${hmac(secret, `${stamp}.`, rawBody)}`;
}

/**
 * Accepts a body that carries Stripe's signature. The header may hold several `v1`, as while a secret is being changed.
 * @throws PaymentError `bad_signature`: none, a wrong one, or a stamp more than five minutes away from `now`
 */
export function verifyStripe(rawBody: Uint8Array, header: string | null, secret: string, now: Date): void {
  const parts = partsOf(header, secret);
  const stamp = freshStamp(parts, now);
  requireOne(parts.get('v1'), hmac(secret, `${stamp}.`, rawBody));
}

/** What Coinbase signs: the body, and the headers beside it under lower-case names. */
export interface CoinbaseMessage {
  rawBody: RawBody;
  secret: string;
  at: Date;
  headers: Record<string, string>;
}

/**
 * The value of `X-Hook0-Signature`: `v0` is the HMAC-SHA256 of `stamp.body`, `v1` of
 * `stamp.names.values joined by dots.body`.
 * @throws Error when a header that is to be signed is not there
 */
export function signCoinbase({ rawBody, secret, at, headers }: CoinbaseMessage): string {
  const stamp = stampOf(at);
  const names = COINBASE_HEADERS.join(' ');
  const values = COINBASE_HEADERS.map((name) => {
    const value = headers[name];
    if (value === undefined) throw new Error(`The header ${name} is signed and missing`);
    return value;
  });
  const older = hmac(secret, `${stamp}.`, rawBody);
  const newer = hmac(secret, `${stamp}.${names}.${values.join('.')}.`, rawBody);
  return `t=${stamp},v0=${older},h=${names},v1=${newer}`;
}

/**
 * Accepts a message that carries Coinbase's signature: `v1` wherever there is one, else `v0`.
 * @throws PaymentError `bad_signature`: none, a wrong one, a signed header that is missing, or a stamp more than five
 *   minutes away from `now`
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
  const stamp = freshStamp(parts, now);
  if (!parts.has('v1')) {
    requireOne(parts.get('v0'), hmac(secret, `${stamp}.`, rawBody));
    return;
  }
  const names = parts.get('h')?.[0] ?? '';
  const values = names.split(' ').map((name) => headerNamed(headers, name));
  requireOne(parts.get('v1'), hmac(secret, `${stamp}.${names}.${values.join('.')}.`, rawBody));
}

const stampOf = (at: Date) => String(Math.floor(at.getTime() / 1000));
const refused = (reason: string) => new PaymentError('bad_signature', reason);

function hmac(secret: string, prefix: string, rawBody: RawBody): string {
  return createHmac('sha256', secret).update(prefix).update(rawBody).digest('hex');
}

/** The header's `name=value` pairs. An empty secret verifies nothing: anyone could sign with it. */
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

function freshStamp(parts: Map<string, string[]>, now: Date): string {
  const stamp = parts.get('t')?.[0] ?? '';
  if (!STAMP.test(stamp)) throw refused('The signature has no stamp');
  if (Math.abs(now.getTime() - Number(stamp) * 1000) > TOLERANCE_MS)
    throw refused('The stamp of the signature is more than five minutes away');
  return stamp;
}

function headerNamed(headers: Headers, name: string): string {
  const value = /^[a-z0-9-]+$/i.test(name) ? headers.get(name) : null;
  if (value === null) throw refused('A signed header is missing');
  return value;
}

function requireOne(given: string[] = [], expected: string): void {
  const right = Buffer.from(expected);
  const found = given.map((value) => {
    const bytes = Buffer.from(value);
    return bytes.length === right.length && timingSafeEqual(bytes, right);
  });
  if (!found.includes(true)) throw refused('The signature does not belong to this message');
}
