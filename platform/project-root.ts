import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project folder, found upwards from this module, so that built and unbuilt code agree on it. */
export const projectRoot = (() => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
})();
