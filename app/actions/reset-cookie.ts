import { usesHttps } from '#platform/auth/cookie.ts';
import type { Config } from '#platform/config.ts';
import { cookieValue } from '#platform/http/cookie-value.ts';

// Holds the token of a reset link while the form is filled in, so that it is in no URL and no history.
// Valid for the whole site, because the page's data has a different path than the page.

const NAME = 'acre-reset';
const MINUTES = 60;

const attributes = (config: Pick<Config, 'publicUrl'>) =>
  `Path=/; HttpOnly;${usesHttps(config) ? ' Secure;' : ''} SameSite=Lax`;

/** The Set-Cookie value that stores a reset token for the form. */
export const resetCookie = (config: Pick<Config, 'publicUrl'>, token: string): string =>
  `${NAME}=${encodeURIComponent(token)}; Max-Age=${MINUTES * 60}; ${attributes(config)}`;

export const clearResetCookie = (config: Pick<Config, 'publicUrl'>): string =>
  `${NAME}=; Max-Age=0; ${attributes(config)}`;

/** The token from the request's cookie, or null. */
export function resetTokenOf(request: Request): string | null {
  const token = cookieValue(request.headers.get('cookie') ?? '', NAME) ?? '';
  return /^[\w-]{10,200}$/.test(token) ? token : null;
}
