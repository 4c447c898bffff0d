import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';

type CookieConfig = Pick<Config, 'publicUrl' | 'secret'>;

/** How long a session lives after it was last prolonged, in seconds: 30 days. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;
/** A session in use is prolonged once this many seconds have passed since the last time: a day. */
export const PROLONG_AFTER_SECONDS = 24 * 60 * 60;
export const COOKIE_PREFIX = 'acre';

export const usesHttps = (config: Pick<Config, 'publicUrl'>): boolean =>
  config.publicUrl.startsWith('https://');

/** The key that signs sessions and mailed links; other uses of the secret derive their own. */
export const authSecret = (config: Pick<Config, 'secret'>): string =>
  createHmac('sha256', config.secret).update('sessions and mailed links').digest('base64url');

export const sessionCookieName = (config: Pick<Config, 'publicUrl'>): string =>
  `${usesHttps(config) ? '__Secure-' : ''}${COOKIE_PREFIX}.session_token`;

/** The Set-Cookie value that gives a browser its session. */
export function sessionCookie(config: CookieConfig, token: string): string {
  const value = encodeURIComponent(`${token}.${signature(config, token)}`);
  return `${sessionCookieName(config)}=${value}; Max-Age=${SESSION_SECONDS}; ${attributes(config)}`;
}

/** The Set-Cookie value that takes it away again. */
export const endedSessionCookie = (config: CookieConfig): string =>
  `${sessionCookieName(config)}=; Max-Age=0; ${attributes(config)}`;

const attributes = (config: CookieConfig) =>
  `Path=/; HttpOnly;${usesHttps(config) ? ' Secure;' : ''} SameSite=Lax`;

const signature = (config: CookieConfig, token: string) =>
  createHmac('sha256', authSecret(config)).update(token).digest('base64');

/** What a Cookie header says of our session: nothing, a value that we never signed, or a token of ours. */
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

function cookieValue(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at < 0 || part.slice(0, at).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(at + 1).trim());
    } catch {
      // Not percent-encoded text, so nothing that we wrote.
      return part.slice(at + 1).trim();
    }
  }
  return null;
}
