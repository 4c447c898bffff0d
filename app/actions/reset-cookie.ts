import type { Config } from '#platform/config.ts';
import { cookieValue } from '#platform/http/cookie-value.ts';
import { ownCookie, ownCookieName } from '#platform/http/own-cookie.ts';

// Holds the token of a reset link while the form is filled in, so that it is in no URL and no history.
// Valid for the whole site, because the page's data has a different path than the page.

const NAME = 'acre-reset';
const MINUTES = 60;

/** The Set-Cookie value that stores a reset token for the form. */
export const resetCookie = (config: Pick<Config, 'publicUrl'>, token: string): string =>
  ownCookie(config, NAME, encodeURIComponent(token), MINUTES * 60);

export const clearResetCookie = (config: Pick<Config, 'publicUrl'>): string => ownCookie(config, NAME, '', 0);

/** The token from the request's cookie, or null. */
export function resetTokenOf(config: Pick<Config, 'publicUrl'>, request: Request): string | null {
  const token = cookieValue(request.headers.get('cookie') ?? '', ownCookieName(config, NAME)) ?? '';
  return /^[\w-]{10,200}$/.test(token) ? token : null;
}
