import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '#platform/config.ts';

/** The part of a feed's address that nobody can guess: 128 bits, derived from the application's secret. */
export const signatureOf = (config: Config, searchId: string): string => sign(config.secret, searchId);

/** Whether a signature belongs to a search; one made before the secret was changed still does while the former one is known. */
export function isSignatureOf(config: Config, searchId: string, signature: string): boolean {
  const secrets = [config.secret, ...(config.previousSecret ? [config.previousSecret] : [])];
  return secrets.some((secret) => {
    const expected = Buffer.from(sign(secret, searchId));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const sign = (secret: string, searchId: string) =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['search-feed', 1, searchId]))
    .digest('hex')
    .slice(0, 32);
