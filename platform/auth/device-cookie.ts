import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { DAY, SECOND } from '../durations.ts';
import { cookieValue } from '../http/cookie-value.ts';
import { COOKIE_PREFIX, usesHttps } from './cookie.ts';

type CookieConfig = Pick<Config, 'publicUrl' | 'secret'>;

/** An account with the stored hash of its password. */
interface Account {
  id: string;
  password: string | null;
}

const LIFETIME_SECONDS = (365 * DAY) / SECOND;

const cookieName = (config: CookieConfig): string =>
  `${usesHttps(config) ? '__Secure-' : ''}${COOKIE_PREFIX}.device`;

const valueFor = ({ secret }: CookieConfig, { id, password }: Account): string =>
  createHmac('sha256', secret).update(`device:${id}:${password}`).digest('base64url');

/**
 * The Set-Cookie value that a browser gets when the account's current password was chosen or entered in it. It opens nothing by
 * itself; a new password makes it worthless.
 */
export const deviceCookie = (config: CookieConfig, account: Account): string =>
  `${cookieName(config)}=${valueFor(config, account)}; Max-Age=${LIFETIME_SECONDS}; Path=/; HttpOnly;${
    usesHttps(config) ? ' Secure;' : ''
  } SameSite=Lax`;

/** Whether the account's current password was chosen or entered in the browser with this Cookie header. */
export function isKnownDevice(
  config: CookieConfig,
  header: string | null | undefined,
  account: Account,
): boolean {
  const given = Buffer.from((header && cookieValue(header, cookieName(config))) ?? '');
  const expected = Buffer.from(valueFor(config, account));
  return account.password !== null && given.length === expected.length && timingSafeEqual(given, expected);
}
