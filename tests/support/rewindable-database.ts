import type { Database } from '#platform/db/database.ts';
import { commandOf, type Lent, lentDatabase, type Run } from './lent-database.ts';

export interface Rewindable {
  db: Database;
  /** What is there now is what `rewind` returns to. */
  mark(): Promise<void>;
  rewind(): Promise<void>;
  /** Does something and takes it back; may be nested. */
  inVain<T>(work: () => Promise<T>): Promise<T>;
  /** Takes everything back. */
  end(): Promise<void>;
}

/**
 * A database that forgets: everything happens inside one transaction that is never committed, with a savepoint for each of
 * ours, whose deferred constraints are checked where it commits. One connection, so one transaction at a time.
 */
export async function rewindable(db: Database): Promise<Rewindable> {
  const client = await db.pool.connect();
  const raw: Run = (text, values) => client.query(text, values);
  const turns = inTurns();
  await raw('begin');
  await raw('savepoint marked');
  let depth = 0;
  const lend = async (): Promise<Lent> => {
    const release = await turns();
    return { run: overSavepoints(raw), release };
  };
  const alone = async (...statements: string[]) => {
    const release = await turns();
    try {
      for (const statement of statements) await raw(statement);
    } finally {
      release();
    }
  };
  return {
    db: lentDatabase(db, lend),
    mark: () => alone('release savepoint marked', 'savepoint marked'),
    rewind: () => alone('rollback to savepoint marked'),
    async inVain(work) {
      depth += 1;
      const name = `vain_${depth}`;
      await alone(`savepoint ${name}`);
      try {
        return await work();
      } finally {
        await alone(`rollback to savepoint ${name}`, `release savepoint ${name}`);
        depth -= 1;
      }
    },
    async end() {
      await alone('rollback');
      client.release();
    },
  };
}

/** One after the other. */
function inTurns(): () => Promise<() => void> {
  let last = Promise.resolve();
  return async () => {
    const before = last;
    const own = Promise.withResolvers<void>();
    last = own.promise;
    await before;
    return own.resolve;
  };
}

function overSavepoints(raw: Run): Run {
  let open = false;
  return async (text, values) => {
    switch (commandOf(text)) {
      case 'begin':
        open = true;
        return raw('savepoint own');
      case 'commit': {
        await raw('set constraints all immediate');
        await raw('set constraints all deferred');
        open = false;
        return raw('release savepoint own');
      }
      case 'rollback':
        if (!open) return raw('select');
        open = false;
        await raw('rollback to savepoint own');
        return raw('release savepoint own');
      case 'select':
        return raw(text, values);
    }
    if (open) return raw(text, values);
    // On its own a statement that fails undoes itself alone.
    await raw('savepoint own');
    try {
      const result = await raw(text, values);
      await raw('release savepoint own');
      return result;
    } catch (error) {
      await raw('rollback to savepoint own');
      await raw('release savepoint own');
      throw error;
    }
  };
}
