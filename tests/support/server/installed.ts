import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The path of an installed program; undefined where there is none. Servers are often outside of an ordinary user's PATH. */
export const installed = (name: string): string | undefined =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
