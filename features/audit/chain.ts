import { createHash } from 'node:crypto';
import { sql } from 'kysely';

/** An audit row in its canonical form: everything as the database writes it as text. */
export interface CanonicalRow {
  id: number;
  /** microseconds since 1970, UTC */
  at: string;
  actor_id: string | null;
  actor_role: string;
  action: string;
  entity: string;
  entity_id: string;
  before: string | null;
  after: string | null;
  request_id: string;
  ip: string | null;
}

/** The columns of `audit_log a` as a `CanonicalRow`; the same whatever time zone or format of dates the session has. */
export const canonicalColumns = sql<CanonicalRow>`a.id, (extract(epoch from a.at) * 1000000)::bigint::text as at,
  a.actor_id::text as actor_id, a.actor_role, a.action, a.entity, a.entity_id, a.before::text as before,
  a.after::text as after, a.request_id, a.ip`;

/** What the first link follows. */
export const CHAIN_START: Buffer = Buffer.alloc(32);

/** The hash of a link: SHA-256 over the previous link's hash, the position and the row. */
export function linkHash(previous: Buffer, position: number, row: CanonicalRow): Buffer {
  const { id, at, actor_id, actor_role, action, entity, entity_id, before, after, request_id, ip } = row;
  const content = [position, id, at, actor_id, actor_role, action, entity, entity_id, before, after];
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([...content, request_id, ip]))
    .digest();
}
