import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { FailoverPool, serversOf } from '#platform/db/servers.ts';
import { SECOND } from '#platform/durations.ts';
import {
  type ReplicatedServer,
  standbyPrograms,
  startReplicatedServer,
} from '#tests/support/database/standby.ts';

const title = standbyPrograms ? 'several hosts' : 'several hosts skipped: no PostgreSQL binaries';

describe.skipIf(!standbyPrograms)(title, () => {
  let server: ReplicatedServer;
  let db: Database;
  beforeAll(async () => {
    server = await startReplicatedServer();
    const [primary, standby] = [server.primaryUrl, server.standbyUrl].map((url) => new URL(url));
    // Until then it refuses connections.
    await vi.waitFor(() => inRecovery(server.standbyUrl), { timeout: 30_000, interval: 200 });
    db = await openDatabase({
      url: `postgres://${primary?.username}@${standby?.host},${primary?.host}/postgres`,
      dataDir: null,
      poolSize: 4,
    });
  });
  afterAll(async () => {
    await db?.close();
    await server?.stop();
  });

  async function inRecovery(url: string): Promise<boolean> {
    const one = await openDatabase({ url, dataDir: null, poolSize: 1 });
    try {
      const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(
        one.q(),
      );
      return rows[0]?.standby ?? false;
    } finally {
      await one.close();
    }
  }
  const write = () => sql`insert into written default values`.execute(db.q());
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from written`.execute(db.q());
    return rows[0]?.n;
  };

  /** A host that accepts connections and never answers, as one does whose machine hangs, and the number of those that came. */
  async function silentHost() {
    const sockets: Socket[] = [];
    const listening = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
    await once(listening.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      listening.close();
    });
    return { host: `127.0.0.1:${(listening.address() as AddressInfo).port}`, asked: () => sockets.length };
  }
  function poolOf(user: string, hosts: string[], settings: pg.PoolConfig) {
    const servers = serversOf(`postgres://${user}@${hosts.join(',')}/postgres`);
    const pool = new FailoverPool(servers, settings);
    pool.on('error', () => undefined);
    onTestFinished(() => pool.end());
    return { pool, servers };
  }
  const primaryHost = () => new URL(server.primaryUrl).host;

  it('cost their patience with a silent one once, not again after every connection that was idle', async () => {
    const silent = await silentHost();
    const { pool } = poolOf('postgres', [silent.host, primaryHost()], { idleTimeoutMillis: 1 });
    for (let round = 0; round < 3; round++) {
      const expired = once(pool, 'remove');
      await pool.query('select 1');
      await expired;
      expect(silent.asked()).toBe(1);
    }
  });

  it('answer on the connections that are there while the primary takes no more', async () => {
    await sql`create role few login connection limit 2`.execute(db.q());
    const { pool, servers } = poolOf('few', [primaryHost(), new URL(server.standbyUrl).host], { max: 3 });
    await pool.query('select 1');
    const another = await vi.waitFor(async () => {
      const client = new pg.Client({ connectionString: `postgres://few@${primaryHost()}/postgres` });
      await client.connect();
      return client;
    });
    onTestFinished(() => another.end());
    await expect(
      serversOf(`postgres://few@${primaryHost()},${primaryHost()}/postgres`).choose(),
    ).rejects.toThrow('too many connections');
    // As when one of several has been idle for too long.
    servers.forget();
    expect((await pool.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
  });

  it('take writes on the primary, though it is not the first, and on the standby once that is promoted', async () => {
    await sql`create table written (n serial)`.execute(db.q());
    await Promise.all(Array.from({ length: 6 }, write));
    await vi.waitFor(() => db.ping(), { timeout: 20 * SECOND });
    const heard: string[] = [];
    db.channels.on('news', (payload: string) => heard.push(payload));
    db.channels.on('resync', () => heard.push('resync'));
    await db.listen('news');
    await sql`notify news, 'before'`.execute(db.q());
    await vi.waitFor(() => expect(heard).toEqual(['before']), { timeout: 10 * SECOND });

    await server.stopPrimary();
    await expect(write()).rejects.toThrow();
    const standby = await openDatabase({ url: server.standbyUrl, dataDir: null, poolSize: 1 });
    await sql`select pg_promote()`.execute(standby.q());
    await standby.close();

    await vi.waitFor(write, { timeout: 20 * SECOND, interval: 100 });
    expect(await count()).toBe(7);
    await vi.waitFor(() => db.ping(), { timeout: 20 * SECOND });
    await vi.waitFor(() => expect(heard).toContain('resync'), { timeout: 20 * SECOND });
    await sql`notify news, 'after'`.execute(db.q());
    await vi.waitFor(() => expect(heard.at(-1)).toBe('after'), { timeout: 10 * SECOND });
  });
});
