import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** Tries to take a named lock until the transaction ends, across all processes; false when another transaction holds it. */
export async function tryLock({ db }: Ctx, name: string): Promise<boolean> {
  const { rows } = await sql<{
    mine: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as mine`.execute(db.q());
  return rows[0]?.mine ?? false;
}
