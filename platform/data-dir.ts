import { chmodSync, mkdirSync } from 'node:fs';

/**
 * Creates the data folder, and closes it to the other users of the machine: mails, files and the embedded database lie in it.
 * A folder that is there already is closed, too.
 */
export function prepareDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
}
