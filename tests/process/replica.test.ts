import { sql } from 'kysely';
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
  let db: Database;
  beforeAll(async () => {
    if (missing) return;
    server = await startReplicatedServer();
    const [url, readUrl] = [server.primaryUrl, server.standbyUrl];
    if (way === 'directly') {
      db = await openDatabase({ url, readUrl, dataDir: null });
      return;
    }
    pooler = await startPgbouncer([url, readUrl]);
    const pooled = { url: pooler.urlOf(url), readUrl: pooler.urlOf(readUrl) };
    db = await openDatabase({ ...pooled, listenUrl: url, dataDir: null });
  }, 60_000);
  afterAll(async () => {
    await db?.close();
    await pooler?.stop();
    await server?.stop();
  }, 30_000);

  /** Which of the two answers a read, and after how long. */
  async function read(): Promise<{ from: 'replica' | 'primary'; milliseconds: number }> {
    const began = performance.now();
    const { rows } = await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(
      db.replica(),
    );
    return { from: rows[0]?.replica ? 'replica' : 'primary', milliseconds: performance.now() - began };
  }
  const readiness = async () => (await new Readiness(db).check()).replica;
  const untilUsed = () =>
    vi.waitFor(async () => expect(await read()).toMatchObject({ from: 'replica' }), { timeout: 20_000 });
  /** Several reads at once, as the pool's connections are lost together. */
  async function expectFallback(): Promise<void> {
    const reads = await Promise.all(Array.from({ length: 8 }, read));
    for (const { from, milliseconds } of reads) {
      expect(from).toBe('primary');
      expect(milliseconds).toBeLessThan(2 * SECOND);
    }
  }

  it.skipIf(missing)(
    `${missing && `skipped: no ${missing}: `}is read from, and is no more when it hangs, is stopped or was promoted; it comes back by itself`,
    async () => {
      await untilUsed();
      await Promise.all(Array.from({ length: 8 }, read));
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

      const standby = await openDatabase({ url: server.standbyUrl, dataDir: null });
      await sql`select pg_promote()`.execute(standby.q());
      await standby.close();
      await vi.waitFor(async () => expect(await readiness()).toBe('not used: not a replica'), {
        timeout: 2 * SECOND,
      });
      await expectFallback();
    },
    60_000,
  );
});
