import type { Config } from '#platform/config.ts';
import { cookieValue } from '#platform/http/cookie-value.ts';
import { ownCookieName, usesHttps } from '#platform/http/own-cookie.ts';
import type { ToastInput } from '#ui/toast.ts';

// A toast that survives one redirect: the action sets it, the next page shows and clears it.

const NAME = 'acre-flash';
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';
const TONES = ['ok', 'bad', 'info', 'warn'] as const satisfies ToastInput['tone'][];

/** The Set-Cookie value that carries a toast to the next page within a minute. */
export function setFlash(toast: ToastInput): string {
  return `${NAME}=${encodeURIComponent(JSON.stringify(toast))}; ${ATTRIBUTES}; Max-Age=60`;
}

export const clearFlash = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/** Binds the flash cookie of a response to this host where the site uses https, so that no other host can put words in our mouth. */
export function bindFlashToHost(config: Pick<Config, 'publicUrl'>, headers: Headers): void {
  const cookies = headers.getSetCookie();
  if (!usesHttps(config) || !cookies.some((cookie) => cookie.startsWith(`${NAME}=`))) return;
  headers.delete('set-cookie');
  for (const cookie of cookies) {
    const bound = cookie.startsWith(`${NAME}=`) ? `__Host-${cookie}; Secure` : cookie;
    headers.append('set-cookie', bound);
  }
}

/** The toast in the request's flash cookie; null when there is none or it is malformed. */
export function readFlash(config: Pick<Config, 'publicUrl'>, request: Request): ToastInput | null {
  const cookie = cookieValue(request.headers.get('cookie') ?? '', ownCookieName(config, NAME));
  if (!cookie) return null;
  try {
    const value: unknown = JSON.parse(cookie);
    if (typeof value !== 'object' || value === null) return null;
    const { title, text, tone: stored }: Partial<Record<string, unknown>> = value;
    const tone = TONES.find((known) => known === stored);
    if (typeof title !== 'string' || title.length > 200) return null;
    return {
      title,
      ...(typeof text === 'string' ? { text: text.slice(0, 400) } : {}),
      ...(tone && { tone }),
    };
  } catch {
    return null;
  }
}
