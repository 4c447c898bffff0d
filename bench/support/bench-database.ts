import pg from 'pg';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { isCpuClock } from './clock.ts';

/** Creates a migrated database, fills it, and measures on it with one connection; it is dropped afterwards. */
export async function withBenchDatabase<Filling, Result>(
  { serverUrl, name }: { serverUrl: string; name: string },
  fill: (db: Database) => Promise<Filling>,
  measure: (scenario: Filling & { db: Database }) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name} template template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const setupDb = await openDatabase({ url: url.href, dataDir: null, statementTimeout: 0, poolSize: 2 });
  await migrate(setupDb);
  const filling = await fill(setupDb);
  await setupDb.close();
  // As on a server, where a page asks for several lists at once; CPU time is read from one session.
  const poolSize = isCpuClock ? 1 : 10;
  const db = await openDatabase({ url: url.href, dataDir: null, statementTimeout: 0, poolSize });
  try {
    return await measure({ ...filling, db });
  } finally {
    await db.close();
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  }
}
