import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '#platform/config.ts';

type Secret = Pick<Config, 'secret'>;

const sign = ({ secret }: Secret, sellerId: string, email: string): Buffer =>
  createHmac('sha256', secret).update(`paypal:${sellerId}:${email}`).digest();

/** The token in the mailed link that confirms a PayPal address; invalid once another address is saved. */
export const paypalToken = (config: Secret, sellerId: string, email: string): string =>
  sign(config, sellerId, email).toString('base64url');

/** Whether a token confirms this address for this seller. */
export function isPaypalToken(config: Secret, sellerId: string, email: string, token: string): boolean {
  const right = sign(config, sellerId, email);
  const given = Buffer.from(token, 'base64url');
  return given.length === right.length && timingSafeEqual(given, right);
}
