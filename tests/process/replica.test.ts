import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { SECOND } from '#platform/durations.ts';
import { Readiness } from '#platform/http/health.ts';
import { type Pooler, pgbouncer, startPgbouncer } from '#tests/support/database/pgbouncer.ts';
import {
  type ReplicatedServer,
  standbyPrograms,
  startReplicatedServer,
} from '#tests/support/database/standby.ts';

const ways = [
  { way: 'directly', missing: standbyPrograms ? '' : 'PostgreSQL binaries' },
  {
    way: 'through PgBouncer',
    missing: standbyPrograms ? (pgbouncer ? '' : 'PgBouncer') : 'PostgreSQL binaries',
  },
];

describe.each(ways)('a replica, reached $way', ({ way, missing }) => {
  let server: ReplicatedServer;
  let pooler: Pooler | undefined;
  let open: () => Promise<Database>;
  let db: Database;
  beforeAll(async () => {
    if (missing) return;
    server = await startReplicatedServer();
    const [url, readUrl] = [server.primaryUrl, server.standbyUrl];
    if (way === 'directly') open = () => openDatabase({ url, readUrl, dataDir: null });
    else {
      pooler = await startPgbouncer([url, readUrl]);
      const pooled = { url: pooler.urlOf(url), readUrl: pooler.urlOf(readUrl) };
      open = () => openDatabase({ ...pooled, listenUrl: url, dataDir: null });
    }
    db = await open();
  });
  afterAll(async () => {
    await db?.close();
    await pooler?.stop();
    await server?.stop();
  });

  /** Which of the two answers a read, and after how long. */
  async function read(of = db): Promise<{ from: 'replica' | 'primary'; milliseconds: number }> {
    const began = performance.now();
    const { rows } = await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(
      of.replica(),
    );
    return { from: rows[0]?.replica ? 'replica' : 'primary', milliseconds: performance.now() - began };
  }
  const readiness = async (of = db) => (await new Readiness(of).check()).replica;
  const untilUsed = (of = db) =>
    vi.waitFor(async () => expect(await read(of)).toMatchObject({ from: 'replica' }), { timeout: 20_000 });
  async function onStandby<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    const standby = await openDatabase({ url: server.standbyUrl, dataDir: null });
    const { rows } = await query.execute(standby.q());
    await standby.close();
    return rows;
  }
  /** Several reads at once, as the pool's connections are lost together. */
  async function expectFallback(): Promise<void> {
    const reads = await Promise.all(Array.from({ length: 8 }, () => read()));
    for (const { from, milliseconds } of reads) {
      expect(from).toBe('primary');
      expect(milliseconds).toBeLessThan(2 * SECOND);
    }
  }

  it.skipIf(missing)(
    `${missing && `skipped: no ${missing}: `}is read from, and is no more when it hangs, is stopped, lags behind or was promoted; it comes back by itself`,
    async () => {
      await untilUsed();
      await Promise.all(Array.from({ length: 8 }, () => read()));
      expect(await readiness()).toBe('used');

      await server.signalStandby('SIGSTOP');
      await expectFallback();
      expect(await readiness()).toBe('not used: unreachable');
      await server.signalStandby('SIGCONT');
      await untilUsed();

      await server.signalStandby('SIGQUIT');
      await expectFallback();
      await expectFallback();
      server.startStandby();
      await untilUsed();

      await onStandby(sql`select pg_wal_replay_pause()`);
      await vi.waitFor(async () =>
        expect(await onStandby(sql`select pg_get_wal_replay_pause_state() as state`)).toEqual([
          { state: 'paused' },
        ]),
      );
      await db.tx(async () => {
        // Tests' servers write what is committed a moment later.
        await sql`set local synchronous_commit = on`.execute(db.q());
        await sql`create table written_meanwhile (id int)`.execute(db.q());
      });
      const later = await open();
      try {
        // It cannot know how old the data is, while the other process knows that it is young enough.
        await vi.waitFor(async () => expect(await readiness(later)).toBe('not used: lagging'));
        expect(await read(later)).toMatchObject({ from: 'primary' });
        expect(await readiness()).toBe('used');
        await onStandby(sql`select pg_wal_replay_resume()`);
        await untilUsed(later);
      } finally {
        await later.close();
      }

      await onStandby(sql`select pg_promote()`);
      await vi.waitFor(async () => expect(await readiness()).toBe('not used: not a replica'), {
        timeout: 2 * SECOND,
      });
      await expectFallback();
    },
    60_000,
  );
});
