import { usesHttps } from '#platform/auth/cookie.ts';
import type { Config } from '#platform/config.ts';

// The token of a reset link waits here while the form is filled in, so that it stands in no address and no history.
// For the whole site, because the page's data has another address than the page.

const NAME = 'acre-reset';
const MINUTES = 60;

const attributes = (config: Pick<Config, 'publicUrl'>) =>
  `Path=/; HttpOnly;${usesHttps(config) ? ' Secure;' : ''} SameSite=Lax`;

/** The Set-Cookie value that keeps a reset token for the form. */
export const resetCookie = (config: Pick<Config, 'publicUrl'>, token: string): string =>
  `${NAME}=${encodeURIComponent(token)}; Max-Age=${MINUTES * 60}; ${attributes(config)}`;

export const clearResetCookie = (config: Pick<Config, 'publicUrl'>): string =>
  `${NAME}=; Max-Age=0; ${attributes(config)}`;

/** The token that a request brings along, or null. */
export function resetTokenOf(request: Request): string | null {
  const cookie = request.headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((part) => part.startsWith(`${NAME}=`));
  const token = cookie?.slice(NAME.length + 1) ?? '';
  return /^[\w-]{10,200}$/.test(token) ? token : null;
}
