import type pg from 'pg';
import type { Database } from '#platform/db/database.ts';
import {
  commandOf,
  databaseOnConnections,
  type LeasedConnection,
  type RunQuery,
} from './query-interception.ts';

export interface RewindableDatabase {
  db: Database;
  /** Makes the current state the one that `rewind` returns to. */
  mark(): Promise<void>;
  rewind(): Promise<void>;
  /** Runs `work` and rolls it back; may be nested. */
  withRollback<T>(work: () => Promise<T>): Promise<T>;
  /** Rolls everything back. */
  rollbackAll(): Promise<void>;
}

/**
 * A database in which everything happens inside one transaction that is never committed. The code's own transactions become
 * savepoints, with deferred constraints checked on commit. There is one connection, so one transaction at a time.
 */
export async function createRewindableDatabase(db: Database): Promise<RewindableDatabase> {
  const client = await db.pool.connect();
  const runRaw: RunQuery = (text, values) => client.query(text, values);
  const acquireLock = createMutex();
  await runRaw('begin');
  await runRaw('savepoint marked');
  let depth = 0;
  const acquire = async (): Promise<LeasedConnection> => {
    const release = await acquireLock();
    return { run: withSavepoints(runRaw), release };
  };
  const runExclusively = async (...statements: string[]) => {
    const release = await acquireLock();
    try {
      for (const statement of statements) await runRaw(statement);
    } finally {
      release();
    }
  };
  return {
    db: databaseOnConnections(db, acquire),
    mark: () => runExclusively('release savepoint marked', 'savepoint marked'),
    rewind: () => runExclusively('rollback to savepoint marked'),
    async withRollback(work) {
      depth += 1;
      const name = `vain_${depth}`;
      await runExclusively(`savepoint ${name}`);
      try {
        return await work();
      } finally {
        await runExclusively(`rollback to savepoint ${name}`, `release savepoint ${name}`);
        depth -= 1;
      }
    },
    async rollbackAll() {
      await runExclusively('rollback');
      client.release();
    },
  };
}

/** A mutex: resolves with its release function when all earlier holders have released it. */
function createMutex(): () => Promise<() => void> {
  let last = Promise.resolve();
  return async () => {
    const before = last;
    const own = Promise.withResolvers<void>();
    last = own.promise;
    await before;
    return own.resolve;
  };
}

/** Several statements in one text have several answers, of which nobody reads any. */
const NOTHING: pg.QueryResult = { command: 'SELECT', rowCount: 0, oid: 0, fields: [], rows: [] };

function withSavepoints(runRaw: RunQuery): RunQuery {
  let open = false;
  return async (text, values) => {
    switch (commandOf(text)) {
      case 'begin':
        open = true;
        return runRaw('savepoint own');
      case 'commit':
        await runRaw('set constraints all immediate; set constraints all deferred; release savepoint own');
        open = false;
        return NOTHING;
      case 'rollback':
        if (!open) return runRaw('select');
        open = false;
        await runRaw('rollback to savepoint own; release savepoint own');
        return NOTHING;
      case 'select':
        return runRaw(text, values);
    }
    if (open) return runRaw(text, values);
    // Outside of a transaction, a failing statement is undone alone.
    await runRaw('savepoint own');
    try {
      const result = await runRaw(text, values);
      await runRaw('release savepoint own');
      return result;
    } catch (error) {
      await runRaw('rollback to savepoint own; release savepoint own');
      throw error;
    }
  };
}
