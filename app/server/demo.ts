import { loadDemoMarket } from '#demo/load.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { hashPassword } from '#platform/auth/password.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';

/**
 * Loads the demo market into an empty database while DEMO is on.
 * @throws DemoRefused when the database holds accounts of real people
 */
export async function loadDemoIfWanted(
  db: Database,
  files: FileStore,
  config: Config,
  log: Log,
): Promise<void> {
  if (!config.demo) return;
  const loaded = await loadDemoMarket(db, {
    now: new Date(),
    hashPassword,
    storeFile: (file) => files.put(file),
  });
  if (loaded) log.info('demo market loaded');
}
