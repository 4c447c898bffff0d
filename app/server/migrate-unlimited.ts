import type { Config } from '#platform/config.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { isMigrated, migrate } from '#platform/db/migrate.ts';

/**
 * Migrates to the latest schema. On PostgreSQL a step has a connection of its own, past a pooler: on a large table it may take longer than
 * a statement is given, and the lock that keeps other processes waiting belongs to a session.
 * @returns the names of the migrations that were run
 */
export async function migrateUnlimited(
  db: Database,
  { databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>,
): Promise<string[]> {
  if (!databaseDirectUrl || (await isMigrated(db))) return migrate(db);
  const direct = await openDatabase({
    url: databaseDirectUrl,
    dataDir: null,
    statementTimeout: 0,
    poolSize: 2,
  });
  try {
    return await migrate(direct);
  } finally {
    await direct.close();
  }
}
