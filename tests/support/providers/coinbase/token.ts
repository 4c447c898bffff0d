import { type KeyObject, verify } from 'node:crypto';

/** The public key of a registered key pair, with its algorithm. */
export type CoinbasePublicKey = { alg: 'EdDSA' | 'ES256'; key: KeyObject };

type TokenCheck = {
  authorization: string | undefined;
  method: string;
  host: string;
  path: string;
  now: Date;
  keys: ReadonlyMap<string, CoinbasePublicKey>;
};

const MAX_LIFETIME_SECONDS = 120;

/** Verifies the token of a request as Coinbase does; returns null when it is valid, otherwise what is wrong with it. */
export function tokenProblem({
  authorization = '',
  method,
  host,
  path,
  now,
  keys,
}: TokenCheck): string | null {
  const [, head = '', payload = '', signature = ''] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? [];
  const header = decodeJson(head);
  const claims = decodeJson(payload);
  if (!header || !claims) return 'no token';
  const publicKey = keys.get(String(header.kid));
  if (!publicKey) return 'unknown key';
  if (header.alg !== publicKey.alg || header.typ !== 'JWT' || !header.nonce) return 'wrong header';
  const text = Buffer.from(`${head}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  const isValid =
    publicKey.alg === 'EdDSA'
      ? verify(null, text, publicKey.key, bytes)
      : verify('sha256', text, { key: publicKey.key, dsaEncoding: 'ieee-p1363' }, bytes);
  if (!isValid) return 'wrong signature';
  if (claims.sub !== header.kid || claims.iss !== 'cdp' || 'aud' in claims) return 'wrong claims';
  const [seconds, from, until] = [now.getTime() / 1000, Number(claims.nbf), Number(claims.exp)];
  if (!(until - from <= MAX_LIFETIME_SECONDS)) return 'lives too long';
  if (!(from <= seconds && seconds < until)) return 'not valid now';
  const allowed = Array.isArray(claims.uris) && claims.uris.includes(`${method} ${host}${path}`);
  return allowed ? null : 'made for another request';
}

function decodeJson(part: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}
