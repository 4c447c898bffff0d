import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { claimDatabase, releaseDatabase } from '#platform/db/embedded/lock-file.ts';
import { loadDemoMarket } from '../demo/load.ts';
import { openFileStore } from '../gateways/files/open.ts';
import { hashPassword } from '../platform/auth/password.ts';
import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { DatabaseInUse } from '../platform/errors.ts';

// `npm run demo:reset`: deletes the embedded database and loads the demo data again.

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 1;
});

async function main(): Promise<0 | 1> {
  const config = readConfig();
  if (config.databaseUrl) {
    console.error(
      'demo:reset works on the embedded database only; DATABASE_URL is set, so nothing was touched.',
    );
    return 1;
  }
  if (!config.demo) {
    console.error('DEMO is off, so the embedded database may hold real data; nothing was touched.');
    return 1;
  }
  await deleteDatabase(config.dataDir);
  const db = await openDatabase({ dataDir: config.dataDir });
  try {
    await migrate(db);
    const files = openFileStore({
      filesUrl: config.filesUrl,
      folder: join(config.dataDir, 'files'),
      secret: config.secret,
      keys: config.filesKeys,
    });
    await loadDemoMarket(db, { now: new Date(), hashPassword, storeFile: (file) => files.put(file) });
  } finally {
    await db.close();
  }
  console.log(`The demo market in ${config.dataDir} is as on its first day.`);
  return 0;
}

/** @throws DatabaseInUse while a server has the database open */
async function deleteDatabase(dataDir: string): Promise<void> {
  const { mine, claim } = await claimDatabase(dataDir);
  if (!mine) throw new DatabaseInUse(dataDir, claim.pid);
  rmSync(join(dataDir, 'database'), { recursive: true, force: true });
  releaseDatabase(dataDir, claim);
}
