import { CompiledQuery } from 'kysely';
import { type Db as BossDatabase, type ConstructorOptions, PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';

const bosses = new WeakMap<Database['pool'], PgBoss>();

/** The job queue on our own connections; one per open database, idle until started. */
export function bossFor(db: Database): PgBoss {
  const boss = bosses.get(db.pool) ?? new PgBoss(settings(db));
  bosses.set(db.pool, boss);
  return boss;
}

/** Creates or updates the queue's own tables (schema `pgboss`); several processes may do so at once. */
export async function installJobs(db: Database): Promise<void> {
  const boss = new PgBoss({ ...settings(db), supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

const settings = (db: Database): ConstructorOptions => ({
  backend: db.embedded ? 'pglite' : 'postgres',
  db: bossDatabase(db),
  useListenNotify: true,
  // No job of ours waits for another one, which would be looked for every five seconds.
  flowIntervalSeconds: 3_600,
  // The embedded engine cannot rebuild indexes concurrently on its only connection.
  reindex: !db.embedded,
  monitorVacuum: !db.embedded,
});

/** Queries join the current transaction; LISTEN uses the process's single listening session. */
function bossDatabase(db: Database): BossDatabase {
  return {
    async executeSql(text, values = []) {
      if (!db.q().isTransaction) return outsideTransaction(db, text, values);
      const result = await db.q().executeQuery(CompiledQuery.raw(text, values));
      return { rows: [...result.rows] };
    },
    async listen(channel, onNotification, onReconnect) {
      db.channels.on(channel, onNotification);
      db.channels.on('resync', onReconnect);
      await db.listen(channel);
      onReconnect();
      return {
        async close() {
          db.channels.off(channel, onNotification);
          db.channels.off('resync', onReconnect);
        },
      };
    },
  };
}

/** Some queries are several statements with their own BEGIN and COMMIT: a failure must not leave a transaction open. */
async function outsideTransaction(db: Database, text: string, values: unknown[]) {
  const client = await db.pool.connect();
  let broken: Error | undefined;
  try {
    const result: unknown = await client.query(text, values);
    const results = (Array.isArray(result) ? result : [result]) as { rows?: unknown[] }[];
    return { rows: results.flatMap(({ rows = [] }) => rows) };
  } catch (error) {
    await client.query('rollback').catch((reason: Error) => {
      broken = reason;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
