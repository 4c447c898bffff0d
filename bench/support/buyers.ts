import { randomUUID } from 'node:crypto';
import { insertAll } from '#demo/insert.ts';
import { SESSION_SECONDS } from '#platform/auth/cookie.ts';
import type { Ctx } from '#platform/context.ts';
import { cookieOf } from '#tests/support/server/session-cookie.ts';

export interface Buyer {
  id: string;
  email: string;
  /** the Cookie header of an active session */
  cookie: string;
}

/** Creates confirmed buyers with active sessions. */
export async function buyersWithSessions({ db, config, now }: Ctx, count: number): Promise<Buyer[]> {
  const users = Array.from({ length: count }, () => {
    const id = randomUUID();
    return { id, email: `${id}@bench.test`, token: randomUUID() };
  });
  const expires_at = new Date(now().getTime() + SESSION_SECONDS * 1000);
  await db.tx(async () => {
    const q = db.q();
    await insertAll(
      q,
      'users',
      users.map(({ id, email }) => ({ id, email, name: 'Bench buyer', email_verified: true })),
    );
    await insertAll(
      q,
      'profiles',
      users.map(({ id }) => ({ id, role: 'buyer' as const })),
    );
    await insertAll(
      q,
      'sessions',
      users.map(({ id, token }) => ({ user_id: id, token, expires_at })),
    );
  });
  return users.map(({ id, email, token }) => ({
    id,
    email,
    cookie: cookieOf(config, token),
  }));
}
