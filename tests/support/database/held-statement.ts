import { sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import { databaseWithInterceptor } from './query-interception.ts';

interface HeldStatement {
  /** the database whose statement is held back */
  db: Database;
  /** the statement is about to be sent; everything before it in its transaction has been done */
  reached: Promise<void>;
  letGo(): void;
}

/** The database as seen by a process whose first statement that fits is held back, until it is let go. */
export function holdStatement(db: Database, fits: RegExp): HeldStatement {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const held = databaseWithInterceptor(db, (run) => async (text, values) => {
    if (fits.test(text)) {
      arrive();
      await gate;
    }
    return run(text, values);
  });
  return { db: held, reached, letGo };
}

/**
 * Waits until transactions of this database wait for rows or transactions of others, as many as said, or until `work` is over without that.
 */
export async function untilItWaits(db: Database, work: Promise<unknown>, count = 1): Promise<void> {
  let over = false;
  const end = () => {
    over = true;
  };
  work.then(end, end);
  while (!over) {
    const { rows } = await sql`
      select from pg_locks where not granted and locktype in ('transactionid', 'tuple')
        and pid in (select pid from pg_stat_activity where datname = current_database()) limit ${count}`.execute(
      db.q(),
    );
    if (rows.length === count) return;
  }
}
