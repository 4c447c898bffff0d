import { cookieValue } from '#platform/http/cookie-value.ts';
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

/** The toast in the request's flash cookie; null when there is none or it is malformed. */
export function readFlash(request: Request): ToastInput | null {
  const cookie = cookieValue(request.headers.get('cookie') ?? '', NAME);
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
