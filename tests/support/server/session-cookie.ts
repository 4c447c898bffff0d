import { randomUUID } from 'node:crypto';
import { sessionCookie } from '#platform/auth/cookie.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';

type CookieConfig = Pick<Config, 'publicUrl' | 'secret'>;

/** Starts a session for a user in the database; returns the Cookie header of its requests. */
export async function startSession(db: Database, config: CookieConfig, userId: string): Promise<string> {
  const token = randomUUID();
  // A fresh session: it is not renewed during a test.
  const expires_at = new Date(Date.now() + 29.5 * 86_400_000);
  await db.q().insertInto('sessions').values({ user_id: userId, token, expires_at }).execute();
  return cookieOf(config, token);
}

/** The Cookie header for the token of a session. */
export const cookieOf = (config: CookieConfig, token: string): string =>
  sessionCookie(config, token).split(';')[0] ?? '';
