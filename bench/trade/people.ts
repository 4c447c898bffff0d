import { randomUUID } from 'node:crypto';
import { insertAll } from '#demo/insert.ts';
import { SESSION_SECONDS, sessionCookie } from '#platform/auth/cookie.ts';
import type { Ctx } from '#platform/context.ts';

export interface Buyer {
  id: string;
  email: string;
  /** the Cookie header of a session that is open */
  cookie: string;
}

/** Confirmed buyers who have signed in. */
export async function buyersWithSessions({ db, config, now }: Ctx, count: number): Promise<Buyer[]> {
  const people = Array.from({ length: count }, () => {
    const id = randomUUID();
    return { id, email: `${id}@bench.test`, token: randomUUID() };
  });
  const expires_at = new Date(now().getTime() + SESSION_SECONDS * 1000);
  await db.tx(async (q) => {
    await insertAll(
      q,
      'users',
      people.map(({ id, email }) => ({ id, email, name: 'Bench buyer', email_verified: true })),
    );
    await insertAll(
      q,
      'profiles',
      people.map(({ id }) => ({ id, role: 'buyer' as const })),
    );
    await insertAll(
      q,
      'sessions',
      people.map(({ id, token }) => ({ user_id: id, token, expires_at })),
    );
  });
  return people.map(({ id, email, token }) => ({
    id,
    email,
    cookie: sessionCookie(config, token).split(';')[0] ?? '',
  }));
}
