import type { ToastInput } from '#ui/toast.ts';

// A toast that survives one redirect: the action sets it, the next page shows and clears it.

const NAME = 'acre-flash';
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';
const TONES = ['ok', 'bad', 'info', 'warn'];

/** The Set-Cookie value that carries a toast to the next page within a minute. */
export function setFlash(toast: ToastInput): string {
  return `${NAME}=${encodeURIComponent(JSON.stringify(toast))}; ${ATTRIBUTES}; Max-Age=60`;
}

export const clearFlash = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/** The toast a request brings along, or null. Anything that is not one of ours is nothing. */
export function readFlash(request: Request): ToastInput | null {
  const cookie = request.headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((part) => part.startsWith(`${NAME}=`));
  if (!cookie) return null;
  try {
    const value: unknown = JSON.parse(decodeURIComponent(cookie.slice(NAME.length + 1)));
    if (typeof value !== 'object' || value === null) return null;
    const { title, text, tone } = value as Record<string, unknown>;
    if (typeof title !== 'string' || title.length > 200) return null;
    return {
      title,
      ...(typeof text === 'string' ? { text: text.slice(0, 400) } : {}),
      ...(typeof tone === 'string' && TONES.includes(tone)
        ? { tone: tone as NonNullable<ToastInput['tone']> }
        : {}),
    };
  } catch {
    return null;
  }
}
