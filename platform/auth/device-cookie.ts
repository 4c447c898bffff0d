import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { DAY, SECOND } from '../durations.ts';
import { cookieValue } from '../http/cookie-value.ts';
import { ownCookie, ownCookieName } from '../http/own-cookie.ts';

type CookieConfig = Pick<Config, 'publicUrl' | 'secret'>;

/** An account with the stored hash of its password. */
interface Account {
  id: string;
  password: string | null;
}

const LIFETIME_SECONDS = (365 * DAY) / SECOND;

const NAME = 'acre.device';
/** Its name over https before it was bound to the host. Nothing is gained by setting it elsewhere, so it is read for good. */
const FORMER_NAME = `__Secure-${NAME}`;

const valueFor = ({ secret }: CookieConfig, { id, password }: Account): string =>
  createHmac('sha256', secret).update(`device:${id}:${password}`).digest('base64url');

/**
 * The Set-Cookie value that a browser gets when the account's current password was chosen or entered in it. It opens nothing by
 * itself; a new password makes it worthless.
 */
export const deviceCookie = (config: CookieConfig, account: Account): string =>
  ownCookie(config, NAME, valueFor(config, account), LIFETIME_SECONDS);

/** Whether the account's current password was chosen or entered in the browser with this Cookie header. */
export function isKnownDevice(
  config: CookieConfig,
  header: string | null | undefined,
  account: Account,
): boolean {
  const cookie = header ?? '';
  const found = cookieValue(cookie, ownCookieName(config, NAME)) ?? cookieValue(cookie, FORMER_NAME);
  const given = Buffer.from(found ?? '');
  const expected = Buffer.from(valueFor(config, account));
  return account.password !== null && given.length === expected.length && timingSafeEqual(given, expected);
}
