import type pg from 'pg';
import { compose, type Database } from '#platform/db/database.ts';

/** Runs one statement. */
export type RunQuery = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

/** A connection that is checked out for one statement or transaction. */
export interface LeasedConnection {
  run: RunQuery;
  release(): void;
}

/** A database that runs every statement on connections supplied by the test, with the real transaction handling on top. */
export function databaseOnConnections(db: Database, acquire: () => Promise<LeasedConnection>): Database {
  const connect = async () => {
    const { run, release } = await acquire();
    return { query: run, release };
  };
  const query: RunQuery = async (text, values) => {
    const { run, release } = await acquire();
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
  const { channels, listen, ping, embedded } = db;
  return compose(pool, null, { channels, listen, ping, embedded, close: async () => undefined });
}

/** A database whose statements pass through `tap`, which is called once for each connection. */
export function databaseWithInterceptor(db: Database, intercept: (run: RunQuery) => RunQuery): Database {
  return databaseOnConnections(db, async () => {
    const client = await db.pool.connect();
    const run = intercept((text, values) => client.query(text, values));
    return { run, release: () => client.release() };
  });
}

/** 'begin', 'commit', 'rollback', 'select', … */
export const commandOf = (text: string): string => /^\s*(\w*)/.exec(text)?.[1]?.toLowerCase() ?? '';
