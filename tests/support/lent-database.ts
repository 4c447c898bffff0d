import type pg from 'pg';
import { compose, type Database } from '#platform/db/database.ts';

/** Runs one statement. */
export type Run = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** A connection for the time of a statement or a transaction. */
export interface Lent {
  run: Run;
  release(): void;
}

/** A database whose every statement goes through connections that a test lends, under the real transactions of ours. */
export function lentDatabase(db: Database, lend: () => Promise<Lent>): Database {
  const connect = async () => {
    const { run, release } = await lend();
    return { query: run, release };
  };
  const query: Run = async (text, values) => {
    const { run, release } = await lend();
    try {
      return await run(text, values);
    } finally {
      release();
    }
  };
  const pool = new Proxy(db.pool, {
    get(target, name) {
      if (name === 'connect') return connect;
      return name === 'query' ? query : Reflect.get(target, name);
    },
  });
  const { channels, listen, embedded } = db;
  return compose(pool, null, { channels, listen, embedded, close: async () => undefined });
}

/** The same with every statement passed through `tap`, made anew for each connection that is lent. */
export function tappedDatabase(db: Database, tap: (run: Run) => Run): Database {
  return lentDatabase(db, async () => {
    const client = await db.pool.connect();
    const run = tap((text, values) => client.query(text, values));
    return { run, release: () => client.release() };
  });
}

/** 'begin', 'commit', 'rollback', 'select', … */
export const commandOf = (text: string): string => /^\s*(\w*)/.exec(text)?.[1]?.toLowerCase() ?? '';
