import type { Config } from '#platform/config.ts';
import { cookieValue } from '#platform/http/cookie-value.ts';
import { ownCookie, ownCookieName } from '#platform/http/own-cookie.ts';

// Holds the email that was typed into a sign-in form, while a redirect shows that form again.

const NAME = 'acre-typed-email';
const SECONDS = 60;
/** No address is longer. */
const MAX_LENGTH = 254;

type CookieConfig = Pick<Config, 'publicUrl'>;

/** The Set-Cookie value that keeps a typed email for a minute. */
export const typedEmailCookie = (config: CookieConfig, email: string): string =>
  ownCookie(config, NAME, encodeURIComponent(email.slice(0, MAX_LENGTH).toWellFormed()), SECONDS);

/** The typed email from the request's cookie; empty when there is none. */
export const typedEmailOf = (config: CookieConfig, request: Request): string =>
  (cookieValue(request.headers.get('cookie') ?? '', ownCookieName(config, NAME)) ?? '').slice(0, MAX_LENGTH);
