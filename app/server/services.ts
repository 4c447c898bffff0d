import type { Config } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { forgetOnChange } from '#platform/kept.ts';
import { createLog, type Log } from '#platform/log.ts';

/** What one process has open for its whole life. */
export interface Services {
  config: Config;
  log: Log;
  db: Database;
}

/** Opens everything in order; what was opened is closed again when a later step fails. */
export async function openServices(config: Config): Promise<Services & { close(): Promise<void> }> {
  const log = createLog(config.logLevel);
  const db = await openDatabase({
    url: config.databaseUrl,
    readUrl: config.databaseReadUrl,
    dataDir: config.dataDir,
  });
  try {
    const steps = await migrate(db);
    if (steps.length) log.info({ steps }, 'schema migrated');
    await forgetOnChange(db);
    return { config, log, db, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The context of work that no request asked for: jobs, commands, the start of the process. */
export function systemContext(services: Services, name: string): Ctx {
  return {
    db: services.db,
    config: services.config,
    log: services.log,
    actor: { kind: 'system', name },
    requestId: name,
    ip: null,
    now: () => new Date(),
  };
}
