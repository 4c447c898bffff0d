import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { Kysely as KyselyClient, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DatabaseInUse } from '../errors.ts';
import { EngineSocket, shareEngine } from './embedded/connection.ts';
import { Engine } from './embedded/engine.ts';
import { claimDatabase, releaseDatabase, socketPath } from './embedded/lock-file.ts';
import { listenOn } from './listener.ts';
import type { DB } from './schema.gen.ts';
import { typeParsers } from './type-parsers.ts';

export type Query = Kysely<DB>;

/** Database access. Inside `tx`, `q()` is the current transaction, so that a query cannot deadlock with it. */
export interface Database {
  q(): Query;
  /** Runs `work` in a transaction, joining the current one if any. `afterCommit` actions run once it has committed. */
  tx<T>(work: () => Promise<T>): Promise<T>;
  afterCommit(action: () => void): void;
  /** For reads that may be slightly stale: the replica if configured, outside transactions. */
  replica(): Query;
  /** Payloads of `NOTIFY` by channel; 'resync' when notifications may have been missed. */
  readonly channels: EventEmitter;
  listen(channel: string): Promise<void>;
  readonly pool: pg.Pool;
  readonly embedded: boolean;
  close(): Promise<void>;
}

interface Running {
  transaction: Transaction<DB>;
  committed: (() => void)[];
  ended: boolean;
}

interface DatabaseOptions {
  /** `postgres://…`; without it the embedded database in `dataDir` */
  url?: string | undefined;
  readUrl?: string | undefined;
  /** folder of the embedded database; null for one in memory */
  dataDir: string | null;
  /** pool size (PostgreSQL only) */
  poolSize?: number;
  /** statement timeout in milliseconds (PostgreSQL only); 0 for none */
  statementTimeout?: number;
  /** true for commands that may connect to the embedded database of a running server */
  mayShare?: boolean;
}

/**
 * Opens PostgreSQL or the embedded database behind one interface.
 * @throws DatabaseInUse when the embedded database belongs to another process and sharing is not allowed
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url ? openServer(options.url, options) : openEmbedded(options);
}

function openServer(url: string, options: DatabaseOptions): Database {
  const settings = {
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: options.statementTimeout ?? 30_000,
    types: typeParsers,
  };
  const pool = new pg.Pool({ connectionString: url, ...settings });
  const replica = options.readUrl ? new pg.Pool({ connectionString: options.readUrl, ...settings }) : null;
  ignoreConnectionErrors(pool);
  if (replica) ignoreConnectionErrors(replica);
  const channels = new EventEmitter();
  const listener = listenOn({ connectionString: url }, channels);
  return compose(pool, replica, {
    channels,
    listen: listener.listen,
    embedded: false,
    close: async () => {
      await listener.close();
      await Promise.all([pool.end(), replica?.end()]);
    },
  });
}

/**
 * A connection that breaks while idle, or between two statements of a transaction, must not crash the process: the next
 * statement on it fails and the pool replaces it.
 */
function ignoreConnectionErrors(pool: pg.Pool): void {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const { dataDir } = options;
  const claimed = dataDir === null ? null : await claimDatabase(dataDir);
  if (claimed && !claimed.mine) {
    if (!options.mayShare) throw new DatabaseInUse(dataDir ?? '', claimed.claim.pid);
    return openServer(
      `postgres://acre@localhost/acre?host=${encodeURIComponent(claimed.claim.socketFolder)}`,
      {
        ...options,
        poolSize: 1,
        statementTimeout: 0,
      },
    );
  }
  const engine = new Engine(dataDir === null ? null : join(dataDir, 'database'));
  const channels = new EventEmitter();
  engine.notifications.on('notification', ({ channel, payload }) => channels.emit(channel, payload));
  const pool = new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 20_000,
    types: typeParsers,
    stream: () => new EngineSocket(engine),
  });
  ignoreConnectionErrors(pool);
  let stopSharing = async () => {};
  const close = async () => {
    await pool.end();
    await stopSharing();
    await engine.close();
    if (claimed && dataDir !== null) releaseDatabase(dataDir, claimed.claim);
  };
  try {
    await engine.ready;
    if (claimed) stopSharing = await shareEngine(engine, socketPath(claimed.claim.socketFolder));
  } catch (error) {
    if (claimed && dataDir !== null) releaseDatabase(dataDir, claimed.claim);
    throw error;
  }
  const listen = async (channel: string) => void (await pool.query(`listen ${pg.escapeIdentifier(channel)}`));
  return compose(pool, null, { channels, listen, embedded: true, close });
}

/** Implements queries, transactions and afterCommit on top of any connection pool. */
export function compose(
  pool: pg.Pool,
  replica: pg.Pool | null,
  rest: Pick<Database, 'channels' | 'listen' | 'embedded' | 'close'>,
): Database {
  const root: Query = new KyselyClient<DB>({ dialect: new PostgresDialect({ pool }) });
  const replicaRoot: Query = replica
    ? new KyselyClient<DB>({ dialect: new PostgresDialect({ pool: replica }) })
    : root;
  const storage = new AsyncLocalStorage<Running>();
  // A timer or listener that outlives the transaction in which it was created works outside of it.
  const running = () => {
    const current = storage.getStore();
    return current?.ended ? undefined : current;
  };
  return {
    ...rest,
    pool,
    q: () => running()?.transaction ?? root,
    replica: () => running()?.transaction ?? replicaRoot,
    async tx(work) {
      const current = running();
      if (current) return work();
      const committed: (() => void)[] = [];
      const result = await root.transaction().execute(async (transaction) => {
        const own: Running = { transaction, committed, ended: false };
        try {
          return await storage.run(own, work);
        } finally {
          own.ended = true;
        }
      });
      for (const action of committed) action();
      return result;
    },
    afterCommit(action) {
      const current = running();
      if (current) current.committed.push(action);
      else action();
    },
  };
}
