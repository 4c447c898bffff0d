import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { DAY, SECOND } from '../durations.ts';
import { cookieValue } from '../http/cookie-value.ts';
import { ownCookie, ownCookieAttributes, ownCookieName, usesHttps } from '../http/own-cookie.ts';

type CookieConfig = Pick<Config, 'publicUrl' | 'secret'>;

/** Lifetime of a session since its last renewal, in seconds: 30 days. */
export const SESSION_SECONDS = (30 * DAY) / SECOND;
/** Lifetime of a session since the sign-in, however much it is used, in seconds: 90 days. Whoever took it does not have it for ever. */
export const SESSION_MAX_SECONDS = (90 * DAY) / SECOND;
/** A session in use is renewed when its last renewal is this many seconds old: a day. */
export const RENEW_AFTER_SECONDS = DAY / SECOND;
const NAME = 'acre.session_token';
/** The cookie's name over https before it was bound to the host. */
const FORMER_NAME = `__Secure-${NAME}`;
/** Sessions that began later never had the former name, and a month later none has it anymore. */
const FORMER_NAME_UNTIL = Date.UTC(2026, 11, 1);

/** The key that signs sessions and mailed links; other uses derive their own key from the secret. */
export const authSecret = (config: Pick<Config, 'secret'>): string =>
  createHmac('sha256', config.secret).update('sessions and mailed links').digest('base64url');

/** The Set-Cookie value that starts or renews a session. */
export function sessionCookie(config: CookieConfig, token: string): string {
  const value = encodeURIComponent(`${token}.${signature(config, token)}`);
  return ownCookie(config, NAME, value, SESSION_SECONDS);
}

/** The Set-Cookie value that clears the session. */
export const clearedSessionCookie = (config: CookieConfig): string => ownCookie(config, NAME, '', 0);

/** The Set-Cookie value that clears a session under its former name. */
export const clearedFormerCookie = (config: CookieConfig): string =>
  `${FORMER_NAME}=; Max-Age=0; ${ownCookieAttributes(config)}`;

/** Whether a session that began at a time may be known under the former name, which a neighbouring host could set. */
export const mayHaveFormerName = (began: Date, now: Date): boolean =>
  began.getTime() < FORMER_NAME_UNTIL && now.getTime() < FORMER_NAME_UNTIL + SESSION_SECONDS * SECOND;

const signature = (config: CookieConfig, token: string) =>
  createHmac('sha256', authSecret(config)).update(token).digest('base64');

/**
 * The session token in a Cookie header: null without one, 'forged' for one that we did not sign. `former` marks one under the
 * former name, which counts only without one of the present name.
 */
export function sessionTokenOf(
  config: CookieConfig,
  header: string | null,
): { token: string; former: boolean } | 'forged' | null {
  const present = header && cookieValue(header, ownCookieName(config, NAME));
  const former = !present && usesHttps(config);
  const raw = former && header ? cookieValue(header, FORMER_NAME) : present;
  if (!raw) return null;
  const at = raw.lastIndexOf('.');
  const token = raw.slice(0, Math.max(at, 0));
  const given = Buffer.from(raw.slice(at + 1));
  const expected = Buffer.from(signature(config, token));
  if (!token || given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
  return { token, former };
}
