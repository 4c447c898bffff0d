import type { Config } from '../config.ts';

type CookieConfig = Pick<Config, 'publicUrl'>;

export const usesHttps = ({ publicUrl }: CookieConfig): boolean => publicUrl.startsWith('https://');

/**
 * The name of a cookie that only the server reads. Over https browsers take one with the prefix from this host alone, not from
 * its subdomains or from a page without encryption.
 */
export const ownCookieName = (config: CookieConfig, name: string): string =>
  `${usesHttps(config) ? '__Host-' : ''}${name}`;

/**
 * The Set-Cookie value of such a cookie.
 * @param value already encoded
 * @param seconds 0 removes it
 */
export const ownCookie = (config: CookieConfig, name: string, value: string, seconds: number): string =>
  `${ownCookieName(config, name)}=${value}; Max-Age=${seconds}; ${ownCookieAttributes(config)}`;

/** The attributes of such a cookie but for its lifetime. */
export const ownCookieAttributes = (config: CookieConfig): string =>
  `Path=/; HttpOnly;${usesHttps(config) ? ' Secure;' : ''} SameSite=Lax`;
