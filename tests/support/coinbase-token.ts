import { type KeyObject, verify } from 'node:crypto';

/** A registered key: its public half and the algorithm that goes with it. */
export type CoinbasePublicKey = { alg: 'EdDSA' | 'ES256'; key: KeyObject };

type Asked = {
  authorization: string | undefined;
  method: string;
  host: string;
  path: string;
  now: Date;
  keys: ReadonlyMap<string, CoinbasePublicKey>;
};

const LONGEST_LIFE = 120;

/** Checks a request's token the way Coinbase does; null when it allows the request, else what is wrong with it. */
export function tokenProblem({ authorization = '', method, host, path, now, keys }: Asked): string | null {
  const [, head = '', claimed = '', signature = ''] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? [];
  const header = decoded(head);
  const claims = decoded(claimed);
  if (!header || !claims) return 'no token';
  const known = keys.get(String(header.kid));
  if (!known) return 'unknown key';
  if (header.alg !== known.alg || header.typ !== 'JWT' || !header.nonce) return 'wrong header';
  const text = Buffer.from(`${head}.${claimed}`);
  const bytes = Buffer.from(signature, 'base64url');
  const holds =
    known.alg === 'EdDSA'
      ? verify(null, text, known.key, bytes)
      : verify('sha256', text, { key: known.key, dsaEncoding: 'ieee-p1363' }, bytes);
  if (!holds) return 'wrong signature';
  if (claims.sub !== header.kid || claims.iss !== 'cdp' || 'aud' in claims) return 'wrong claims';
  const [seconds, from, until] = [now.getTime() / 1000, Number(claims.nbf), Number(claims.exp)];
  if (!(until - from <= LONGEST_LIFE)) return 'lives too long';
  if (!(from <= seconds && seconds < until)) return 'not valid now';
  const allowed = Array.isArray(claims.uris) && claims.uris.includes(`${method} ${host}${path}`);
  return allowed ? null : 'made for another request';
}

function decoded(part: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}
