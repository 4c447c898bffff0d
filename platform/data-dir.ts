import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { hasErrorCode } from './errors.ts';
import { InvalidEnvironment } from './invalid-environment.ts';

/**
 * Creates the data folder, and closes it to the other users of the machine: mails, files and the embedded database lie in it.
 * A folder that is there already is closed, too. One of another user, as a mounted volume may be, is taken as it is while it is closed to
 * all but its owner and group.
 * @throws InvalidEnvironment for one of another user that is open to everybody
 */
export function prepareDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    chmodSync(dataDir, 0o700);
  } catch (error) {
    if (!hasErrorCode(error, 'EPERM')) throw error;
    if ((statSync(dataDir).mode & 0o007) !== 0)
      throw new InvalidEnvironment(
        `DATA_DIR: ${dataDir} belongs to another user and is open to everybody; close it with chmod o-rwx, or choose a folder of your own`,
      );
  }
}
