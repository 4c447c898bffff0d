import { sql } from 'kysely';

/** Whether a listing waits for an administrator; the same condition as that of the index. */
export const waits = sql<boolean>`p.deleted_at is null
  and (p.status = 'pending' or (p.status = 'Active' and p.changed_since_approval_at is not null))`;

/** Since when it waits; the same expression as in the index. */
export const waitingSince = sql<Date>`case when p.status = 'Active' then p.changed_since_approval_at
  else coalesce(p.submitted_at, p.created_at) end`;
