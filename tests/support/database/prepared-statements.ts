import { createHash } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';
import { databaseOnConnections, type RunQuery } from './query-interception.ts';

/**
 * A PostgreSQL database on whose connections each statement with values is prepared once: planning takes longer than running
 * most of those that a soak repeats thousands of times.
 */
export function databaseWithPreparedStatements(db: Database): Database {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
    return name;
  };
  return databaseOnConnections(db, async () => {
    const client = await db.pool.connect();
    const run: RunQuery = (text, values) =>
      values?.length && !needsValues(text)
        ? client.query({ name: nameOf(text), text, values })
        : client.query(text, values);
    return { run, release: () => client.release() };
  });
}

/** The index of a conflict that has a condition is found by the condition's values, which a prepared plan does not have. */
const needsValues = (text: string): boolean => /\bon conflict\b.*\bwhere\b/is.test(text);
