import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { MAX_LAG_MS } from '../db/replica-monitor.ts';
import { SECOND } from '../durations.ts';
import { cookieValue } from './cookie-value.ts';
import { ownCookie, ownCookieName } from './own-cookie.ts';

// Whoever has just written something reads from the primary until the replica must have it, too.

const NAME = 'acre-wrote';
const SECONDS = (MAX_LAG_MS + 5 * SECOND) / SECOND;

const writes = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD';

/** The database for one request: without the replica for one that writes, and for those of the same browser soon after. */
export function databaseFor(db: Database, config: Pick<Config, 'publicUrl'>, request: Request): Database {
  if (db.replicaState() === null) return db;
  const wrote = cookieValue(request.headers.get('cookie') ?? '', ownCookieName(config, NAME)) !== null;
  return writes(request) || wrote ? { ...db, replica: db.q } : db;
}

/** The Set-Cookie value by which the browser is recognized after a request that writes; null when none is needed. */
export function wroteCookie(
  db: Pick<Database, 'replicaState'>,
  config: Pick<Config, 'publicUrl'>,
  request: Request,
): string | null {
  if (db.replicaState() === null || !writes(request)) return null;
  return ownCookie(config, NAME, '1', SECONDS);
}
