import type { Config } from '#platform/config.ts';
import { cookieValue } from '#platform/http/cookie-value.ts';
import { ownCookie, ownCookieName } from '#platform/http/own-cookie.ts';

// Holds what the first step of a sign-in left, until the second one is done.

const NAME = 'acre-step';
const SECONDS = 600;

type CookieConfig = Pick<Config, 'publicUrl'>;

/** The Set-Cookie value that keeps a sealed step for ten minutes. */
export const stepCookie = (config: CookieConfig, step: string): string =>
  ownCookie(config, NAME, step, SECONDS);

export const clearStepCookie = (config: CookieConfig): string => ownCookie(config, NAME, '', 0);

/** The sealed step from the request's cookie, or null. */
export function stepOf(config: CookieConfig, request: Request): string | null {
  const step = cookieValue(request.headers.get('cookie') ?? '', ownCookieName(config, NAME)) ?? '';
  return /^[\w-]{20,1000}$/.test(step) ? step : null;
}
