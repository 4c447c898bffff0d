import type { Config } from '../config.ts';
import { type Actor, visitor } from '../context.ts';
import type { Database } from '../db/database.ts';
import {
  clearedFormerCookie,
  clearedSessionCookie,
  mayHaveFormerName,
  RENEW_AFTER_SECONDS,
  SESSION_MAX_SECONDS,
  SESSION_SECONDS,
  sessionCookie,
  sessionTokenOf,
} from './cookie.ts';
import { hasFactor, needsFactor } from './factors/required.ts';

export interface Session {
  actor: Actor;
  sessionId: string | null;
  /** null for a visitor */
  expiresAt: Date | null;
  /** Set-Cookie values for the response: the renewed session, or the removal of an ended one */
  cookies: string[];
}

interface SessionDependencies {
  db: Database;
  config: Pick<Config, 'publicUrl' | 'secret' | 'demo'>;
  now(): Date;
}

/**
 * Resolves the actor of a request from its signed session cookie alone: one query, or none without a cookie or with a
 * forged one. A session in use is renewed once a day, until 90 days after the sign-in. A user without a profile and an archived seller are visitors.
 */
export async function resolveSession(dependencies: SessionDependencies, request: Request): Promise<Session> {
  const { db, config } = dependencies;
  const found = sessionTokenOf(config, request.headers.get('cookie'));
  if (!found) return visitorSession();
  const former = found !== 'forged' && found.former;
  const cleared = former ? clearedFormerCookie(config) : clearedSessionCookie(config);
  const ended = visitorSession(cleared);
  if (found === 'forged') return ended;
  const now = dependencies.now();
  const row = await sessionRow(db, found.token, now);
  if (!row || (row.role === 'agent' && row.archived_at)) return ended;
  if (former && !mayHaveFormerName(row.created_at, now)) return ended;
  const renewed = await renewSession(db, row, now);
  const cookies = [
    ...(renewed || former ? [sessionCookie(config, found.token)] : []),
    ...(former ? [cleared] : []),
  ];
  const actor: Actor = {
    kind: 'user',
    id: row.id,
    role: row.role,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    agentId: row.role === 'agent' ? row.agent_id : null,
    suspended: row.role === 'agent' ? row.status === 'suspended' : row.suspended_at !== null,
    provedAt: row.proved_at,
    mustAddFactor: needsFactor(row.role, config) && !row.has_factor,
  };
  return {
    actor,
    sessionId: row.session_id,
    expiresAt: renewed ?? row.expires_at,
    cookies,
  };
}

/** Nobody is signed in. */
export const visitorSession = (...cookies: string[]): Session => ({
  actor: visitor,
  sessionId: null,
  expiresAt: null,
  cookies,
});

/** The session cookies that a response does not set itself, as it does when it signs in or out. */
export function cookiesNotSetBy(answer: Headers, cookies: readonly string[]): string[] {
  const own = answer.getSetCookie().map(nameOfCookie);
  return cookies.filter((cookie) => !own.includes(nameOfCookie(cookie)));
}

const nameOfCookie = (cookie: string) => cookie.slice(0, cookie.indexOf('='));

type SessionRow = NonNullable<Awaited<ReturnType<typeof sessionRow>>>;

const sessionRow = (db: Database, token: string, now: Date) =>
  db
    .q()
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .leftJoin('agents as a', 'a.user_id', 'u.id')
    .where('s.token', '=', token)
    .where('s.expires_at', '>', now)
    .select([
      's.id as session_id',
      's.expires_at',
      's.created_at',
      's.proved_at',
      'u.id',
      'u.name',
      'u.email',
      'u.email_verified',
      'p.role',
      'p.suspended_at',
    ])
    .select(['a.id as agent_id', 'a.status', 'a.archived_at', hasFactor('u.id').as('has_factor')])
    .executeTakeFirst();

/** Extends a session and returns its new end; null when it is recent enough or another request has just extended it. */
async function renewSession(db: Database, row: SessionRow, now: Date): Promise<Date | null> {
  const latest = row.created_at.getTime() + SESSION_MAX_SECONDS * 1000;
  const expiresAt = new Date(Math.min(now.getTime() + SESSION_SECONDS * 1000, latest));
  if (expiresAt.getTime() - row.expires_at.getTime() < RENEW_AFTER_SECONDS * 1000) return null;
  const { numUpdatedRows } = await db
    .q()
    .updateTable('sessions')
    .set({ expires_at: expiresAt, updated_at: now })
    .where('id', '=', row.session_id)
    .where('expires_at', '=', row.expires_at)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? expiresAt : null;
}
