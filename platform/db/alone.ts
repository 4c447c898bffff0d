import { sql } from 'kysely';
import type { Query } from './database.ts';

/** True for one transaction at a time, over all processes, until it ends; false where another one has the name. */
export async function alone(q: Query, name: string): Promise<boolean> {
  const { rows } = await sql<{
    mine: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as mine`.execute(q);
  return rows[0]?.mine ?? false;
}
