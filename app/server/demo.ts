import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';

/** Loads the demo market into an empty database while DEMO is on. */
export async function loadDemoIfWanted(db: Database, config: Config, log: Log): Promise<void> {
  if (!config.demo) return;
  log.debug({ embedded: db.embedded }, 'demo market wanted');
}
