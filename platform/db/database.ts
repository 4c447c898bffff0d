import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { Kysely as KyselyClient, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DatabaseInUse } from '../errors.ts';
import { claimDatabase, releaseDatabase, socketPath } from './embedded/claim.ts';
import { EngineSocket, shareEngine } from './embedded/connection.ts';
import { Engine } from './embedded/engine.ts';
import { listenOn } from './listener.ts';
import type { DB } from './schema.gen.ts';
import { parsers } from './values.ts';

export type Query = Kysely<DB>;

/** The one way to the database. `q()` is the running transaction inside `tx`, so a query never waits for itself. */
export interface Database {
  q(): Query;
  /** Runs `work` in one transaction (joins a running one). What `afterCommit` was given runs once it is durable. */
  tx<T>(work: (q: Query) => Promise<T>): Promise<T>;
  afterCommit(action: () => void): void;
  /** Reads that may lag a little: the replica when there is one, outside transactions. */
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

export interface DatabaseOptions {
  /** `postgres://…`; without it the embedded database in `dataDir` */
  url?: string | undefined;
  readUrl?: string | undefined;
  /** folder for the embedded database; null for one in memory */
  dataDir: string | null;
  /** connections of the pool (PostgreSQL only) */
  poolSize?: number;
  /** milliseconds after which PostgreSQL ends a statement; 0 for never */
  statementTimeout?: number;
  /** true for commands that may work through a running server's embedded database */
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
    types: parsers,
  };
  const pool = new pg.Pool({ connectionString: url, ...settings });
  const replica = options.readUrl ? new pg.Pool({ connectionString: options.readUrl, ...settings }) : null;
  forgiveBrokenConnections(pool);
  if (replica) forgiveBrokenConnections(replica);
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
 * A connection that breaks while idle, or between two statements of a transaction, must not end the process: the next
 * statement on it fails, and the pool replaces it.
 */
function forgiveBrokenConnections(pool: pg.Pool): void {
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
    types: parsers,
    stream: () => new EngineSocket(engine) as never,
  });
  forgiveBrokenConnections(pool);
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

/** What statements, transactions and work after commits are over any pool of connections. */
export function compose(
  pool: pg.Pool,
  replica: pg.Pool | null,
  rest: Pick<Database, 'channels' | 'listen' | 'embedded' | 'close'>,
): Database {
  const root: Query = new KyselyClient<DB>({ dialect: new PostgresDialect({ pool }) });
  const lagging: Query = replica
    ? new KyselyClient<DB>({ dialect: new PostgresDialect({ pool: replica }) })
    : root;
  const storage = new AsyncLocalStorage<Running>();
  // A timer made inside a transaction, or a listener that its commit wakes, outlives it and works outside of it.
  const running = () => {
    const current = storage.getStore();
    return current?.ended ? undefined : current;
  };
  return {
    ...rest,
    pool,
    q: () => running()?.transaction ?? root,
    replica: () => running()?.transaction ?? lagging,
    async tx(work) {
      const current = running();
      if (current) return work(current.transaction);
      const committed: (() => void)[] = [];
      const result = await root.transaction().execute(async (transaction) => {
        const own: Running = { transaction, committed, ended: false };
        try {
          return await storage.run(own, () => work(transaction));
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
