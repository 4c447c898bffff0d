import { randomBytes } from 'node:crypto';
import type { Config } from '#platform/config.ts';
import { cookieValue } from '#platform/http/cookie-value.ts';
import { ownCookieName, usesHttps } from '#platform/http/own-cookie.ts';
import { FLASH_COOKIE } from '#ui/flash-cookie.ts';
import type { ToastInput } from '#ui/toast.ts';

// A toast that survives one redirect: the action sets it and the next page shows it. A document clears it with its response; after a
// navigation in the browser it is cleared once it is shown, for the answer that carries it may be dropped for a newer one.

const ATTRIBUTES = 'Path=/; SameSite=Lax';
const TONES = ['ok', 'bad', 'info', 'warn'] as const satisfies ToastInput['tone'][];

/** The Set-Cookie value that carries a toast to the next page within a minute. */
export function setFlash(toast: ToastInput): string {
  return `${FLASH_COOKIE}=${encodeURIComponent(JSON.stringify({ ...toast, key: randomBytes(6).toString('base64url') }))}; ${ATTRIBUTES}; Max-Age=60`;
}

export const clearFlash = `${FLASH_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;

/** Binds the flash cookie of a response to this host where the site uses https, so that no other host can put words in our mouth. */
export function bindFlashToHost(config: Pick<Config, 'publicUrl'>, headers: Headers): void {
  const cookies = headers.getSetCookie();
  if (!usesHttps(config) || !cookies.some((cookie) => cookie.startsWith(`${FLASH_COOKIE}=`))) return;
  headers.delete('set-cookie');
  for (const cookie of cookies) {
    const bound = cookie.startsWith(`${FLASH_COOKIE}=`) ? `__Host-${cookie}; Secure` : cookie;
    headers.append('set-cookie', bound);
  }
}

/** The toast in the request's flash cookie; null when there is none or it is malformed. */
export function readFlash(config: Pick<Config, 'publicUrl'>, request: Request): ToastInput | null {
  const cookie = cookieValue(request.headers.get('cookie') ?? '', ownCookieName(config, FLASH_COOKIE));
  if (!cookie) return null;
  try {
    const value: unknown = JSON.parse(cookie);
    if (typeof value !== 'object' || value === null) return null;
    const { title, text, tone: stored, key }: Partial<Record<string, unknown>> = value;
    const tone = TONES.find((known) => known === stored);
    if (typeof title !== 'string' || title.length > 200) return null;
    return {
      title,
      ...(typeof text === 'string' ? { text: text.slice(0, 400) } : {}),
      ...(tone && { tone }),
      ...(typeof key === 'string' ? { key: key.slice(0, 20) } : {}),
    };
  } catch {
    return null;
  }
}
