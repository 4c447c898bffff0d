import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { unixSeconds } from '../checkout-request.ts';
import { PaymentError } from '../port.ts';

/** A key of the Coinbase Developer Platform: Ed25519 as base64 of seed and public key, or P-256 as PEM. */
export interface CoinbaseKey {
  keyId: string;
  keySecret: string;
}

/** A token is valid for one method on one path (without the query). */
export interface TokenScope {
  method: string;
  host: string;
  path: string;
  now: Date;
}

const LIFETIME_SECONDS = 120;
/** The PKCS #8 prefix of a 32-byte Ed25519 seed. */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Creates the token that Coinbase requires for each request: valid for two minutes and for that request alone.
 * @throws PaymentError `auth` for a secret that is not a valid key, without quoting it
 */
export function createTokenSigner({ keyId, keySecret }: CoinbaseKey): (scope: TokenScope) => string {
  const key = privateKey(keySecret);
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256';
  return ({ method, host, path, now }) => {
    const issued = unixSeconds(now);
    const header = { alg, kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') };
    const claims = {
      sub: keyId,
      iss: 'cdp',
      uris: [`${method} ${host}${path}`],
      iat: issued,
      nbf: issued,
      exp: issued + LIFETIME_SECONDS,
    };
    const text = `${encoded(header)}.${encoded(claims)}`;
    const bytes = Buffer.from(text);
    const signature =
      alg === 'EdDSA' ? sign(null, bytes, key) : sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  };
}

function privateKey(secret: string): KeyObject {
  // Environment files often contain the line breaks of a PEM as backslash and n.
  const pem = secret.replaceAll('\\n', '\n').trim();
  const key = pem.startsWith('-----BEGIN') ? fromPem(pem) : fromSeed(pem);
  if (!key)
    throw new PaymentError('auth', "Coinbase's key secret is neither base64 of 64 bytes nor a P-256 PEM");
  return key;
}

function fromPem(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

function fromSeed(text: string): KeyObject | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 64) return null;
  const der = Buffer.concat([ED25519, bytes.subarray(0, 32)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const open = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return open.equals(bytes.subarray(32)) ? key : null;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
