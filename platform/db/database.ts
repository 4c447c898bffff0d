import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Kysely, PostgresPool, Transaction } from 'kysely';
import { Kysely as KyselyClient, PostgresDialect } from 'kysely';
import pg from 'pg';
import { SECOND } from '../durations.ts';
import { DatabaseInUse } from '../errors.ts';
import { EngineSocket, shareEngine } from './embedded/connection.ts';
import { Engine } from './embedded/engine.ts';
import { claimDatabase, releaseDatabase, socketPath } from './embedded/lock-file.ts';
import { limitedClient } from './limited-client.ts';
import { listenOn } from './listener.ts';
import { ReplicaMonitor, type ReplicaState } from './replica-monitor.ts';
import { replacingSilentConnections, replicaOrPrimary } from './resilient-pool.ts';
import type { DB } from './schema.gen.ts';
import { FailoverPool, type Servers, serversOf } from './servers.ts';
import { typeParsers } from './type-parsers.ts';

export type Query = Kysely<DB>;

/** Database access. Inside `tx`, `q()` is the current transaction, so that a query cannot deadlock with it. */
export interface Database {
  q(): Query;
  /** Runs `work` in a transaction, joining the current one if any. `afterCommit` actions run once it has committed. */
  tx<T>(work: () => Promise<T>): Promise<T>;
  afterCommit(action: () => void): void;
  /** For reads that may be up to ten seconds old: the replica if configured and usable, outside transactions. */
  replica(): Query;
  /** null without a replica */
  replicaState(): ReplicaState | null;
  /** Asks the database for a sign of life, on a connection of its own, so that a busy pool does not hide it. */
  ping(): Promise<void>;
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
  /** `postgres://…`, also with several hosts; without it the embedded database in `dataDir` */
  url?: string | undefined;
  readUrl?: string | undefined;
  /**
   * The address of the server itself where `url` and `readUrl` lead through a pooler in transaction mode: notifications are heard
   * there, and time limits are set for each transaction (PostgreSQL only)
   */
  listenUrl?: string | undefined;
  /** folder of the embedded database; null for one in memory */
  dataDir: string | null;
  /** pool size (PostgreSQL only) */
  poolSize?: number;
  /** statement timeout in milliseconds (PostgreSQL only); 0 for none */
  statementTimeout?: number;
  onReplicaChange?: (state: ReplicaState) => void;
  /** the embedded database takes a while to start, as after a killed process */
  onRecovering?: () => void;
  /** the embedded database has ended by itself: nothing works anymore */
  onEnd?: (error: Error) => void;
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

async function openServer(url: string, options: DatabaseOptions): Promise<Database> {
  const { poolSize = 10, statementTimeout = 30 * SECOND } = options;
  const settings = {
    max: poolSize,
    connectionTimeoutMillis: 5 * SECOND,
    ...limit(statementTimeout, options.listenUrl !== undefined),
    // Where the network goes silent, the server's own limit does not end the wait.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + 2 * SECOND }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10 * SECOND,
    types: typeParsers,
  };
  const servers = serversOf(url);
  const pool = await createPool(servers, settings);
  const probe = await createPool(servers, { ...settings, ...PROBE });
  const replica = options.readUrl
    ? await openReplica(serversOf(options.readUrl), settings, probe, options)
    : null;
  await replica?.monitor.start();
  const channels = new EventEmitter();
  const listener = listenOn(options.listenUrl ? serversOf(options.listenUrl) : servers, channels);
  return compose(pool, replica, {
    channels,
    listen: listener.listen,
    ping: async () => void (await probe.query('select 1')),
    embedded: false,
    close: async () => {
      await listener.close();
      await Promise.all([pool.end(), probe.end(), replica?.close()]);
    },
  });
}

/**
 * How a pool's statements are limited; 0 for not at all. None is compiled: compiling takes longer than the sums that reports and
 * lists read, however expensive the planner takes them for.
 */
function limit(milliseconds: number, pooled: boolean): pg.PoolConfig {
  if (!pooled) return { statement_timeout: milliseconds, options: '-c jit=off' };
  return milliseconds > 0 ? { Client: limitedClient(milliseconds) } : {};
}

/** A connection that only asks for signs of life, with little patience. */
const PROBE = { max: 1, connectionTimeoutMillis: SECOND, query_timeout: SECOND };

interface Replica {
  pool: pg.Pool;
  monitor: ReplicaMonitor;
  close(): Promise<void>;
}

async function openReplica(
  servers: Servers,
  settings: pg.PoolConfig,
  primary: pg.Pool,
  { onReplicaChange }: DatabaseOptions,
): Promise<Replica> {
  const pool = await createPool(servers, { ...settings, connectionTimeoutMillis: 2 * SECOND });
  const probe = await createPool(servers, { ...settings, ...PROBE });
  const monitor = new ReplicaMonitor({
    async ask() {
      const { rows } = await probe.query(
        `select pg_is_in_recovery() as replica,
           case when pg_is_in_recovery() then pg_last_wal_replay_lsn() - '0/0' else 0 end::text as replayed`,
      );
      return { inRecovery: rows[0].replica, replayed: BigInt(rows[0].replayed) };
    },
    async primaryPosition() {
      const { rows } = await primary.query(`select (pg_current_wal_lsn() - '0/0')::text as position`);
      return BigInt(rows[0].position);
    },
    ...(onReplicaChange && { onChange: onReplicaChange }),
  });
  return {
    pool,
    monitor,
    async close() {
      monitor.stop();
      await Promise.all([pool.end(), probe.end()]);
    },
  };
}

async function createPool(servers: Servers, settings: pg.PoolConfig): Promise<pg.Pool> {
  const pool = servers.several
    ? new FailoverPool(servers, settings)
    : new pg.Pool({ connectionString: await servers.choose(), ...settings });
  ignoreConnectionErrors(pool);
  return pool;
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
  const engine = new Engine(dataDir === null ? null : join(dataDir, 'database'), options.onEnd);
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
  const recovering = setTimeout(() => options.onRecovering?.(), 2 * SECOND);
  try {
    await engine.ready;
    if (claimed) stopSharing = await shareEngine(engine, socketPath(claimed.claim.socketFolder));
  } catch (error) {
    if (claimed && dataDir !== null) releaseDatabase(dataDir, claimed.claim);
    throw error;
  } finally {
    clearTimeout(recovering);
  }
  const listen = async (channel: string) => void (await pool.query(`listen ${pg.escapeIdentifier(channel)}`));
  const ping = async () => void (await pool.query('select 1'));
  return compose(pool, null, { channels, listen, ping, embedded: true, close });
}

/** Implements queries, transactions and afterCommit on top of any connection pool. */
export function compose(
  pool: pg.Pool,
  replica: Pick<Replica, 'pool' | 'monitor'> | null,
  rest: Pick<Database, 'channels' | 'listen' | 'ping' | 'embedded' | 'close'>,
): Database {
  const primary = replacingSilentConnections(pool);
  const queryOf = (from: PostgresPool): Query =>
    new KyselyClient<DB>({ dialect: new PostgresDialect({ pool: from }) });
  const root = queryOf(primary);
  const replicaRoot = replica ? queryOf(replicaOrPrimary(replica.pool, primary, replica.monitor)) : root;
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
    replicaState: () => replica?.monitor.state ?? null,
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
