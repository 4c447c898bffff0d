import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { DAY, SECOND } from '../durations.ts';
import { cookieValue } from '../http/cookie-value.ts';

type CookieConfig = Pick<Config, 'publicUrl' | 'secret'>;

/** Lifetime of a session since its last renewal, in seconds: 30 days. */
export const SESSION_SECONDS = (30 * DAY) / SECOND;
/** A session in use is renewed when its last renewal is this many seconds old: a day. */
export const RENEW_AFTER_SECONDS = DAY / SECOND;
export const COOKIE_PREFIX = 'acre';

export const usesHttps = (config: Pick<Config, 'publicUrl'>): boolean =>
  config.publicUrl.startsWith('https://');

/** The key that signs sessions and mailed links; other uses derive their own key from the secret. */
export const authSecret = (config: Pick<Config, 'secret'>): string =>
  createHmac('sha256', config.secret).update('sessions and mailed links').digest('base64url');

const sessionCookieName = (config: Pick<Config, 'publicUrl'>): string =>
  `${usesHttps(config) ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;

/** The Set-Cookie value that starts or renews a session. */
export function sessionCookie(config: CookieConfig, token: string): string {
  const value = encodeURIComponent(`${token}.${signature(config, token)}`);
  return `${sessionCookieName(config)}=${value}; Max-Age=${SESSION_SECONDS}; ${attributes(config)}`;
}

/** The Set-Cookie value that clears the session. */
export const clearedSessionCookie = (config: CookieConfig): string =>
  `${sessionCookieName(config)}=; Max-Age=0; ${attributes(config)}`;

const attributes = (config: CookieConfig) =>
  `Path=/; HttpOnly;${usesHttps(config) ? ' Secure;' : ''} SameSite=Lax`;

const signature = (config: CookieConfig, token: string) =>
  createHmac('sha256', authSecret(config)).update(token).digest('base64');

/** The session token in a Cookie header: null without one, 'forged' for one that we did not sign. */
export function sessionTokenOf(
  config: CookieConfig,
  header: string | null,
): { token: string } | 'forged' | null {
  const raw = header && cookieValue(header, sessionCookieName(config));
  if (!raw) return null;
  const at = raw.lastIndexOf('.');
  const token = raw.slice(0, Math.max(at, 0));
  const given = Buffer.from(raw.slice(at + 1));
  const expected = Buffer.from(signature(config, token));
  if (!token || given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
  return { token };
}
