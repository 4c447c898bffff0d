import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

type Locking = Pick<Ctx, 'db'>;

/** Takes a named lock until the transaction ends, across all processes; waits for the transaction that holds it. */
export async function takeLock({ db }: Locking, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db.q());
}

/** Tries to take a named lock until the transaction ends, across all processes; false when another transaction holds it. */
export async function tryLock({ db }: Locking, name: string): Promise<boolean> {
  const { rows } = await sql<{
    mine: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as mine`.execute(db.q());
  return rows[0]?.mine ?? false;
}
