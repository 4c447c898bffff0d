import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './finding.ts';

/** Patterns that only server code leaves in a bundle. */
const SERVER_CODE: [RegExp, string][] = [
  [/["'`]node:[a-z_/]+["'`]/, 'a module of Node'],
  [/__vite-browser-external/, 'a module of Node'],
  [/selectFrom\(["'`]|insertInto\(["'`]|updateTable\(["'`]/, 'a query'],
  [/pg_notify|pg_advisory|SASLInitialResponse/, 'the database client'],
  [/process\.env\.(?!NODE_ENV)[A-Z]/, 'a variable of the environment'],
];

/** Finds server code in the client bundle; no findings before the first build. */
export function checkBundle(folder: string): Finding[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return SERVER_CODE.filter(([pattern]) => pattern.test(text)).map(([pattern, what]) => ({
        file: `build/client/${name.replaceAll('\\', '/')}`,
        line: null,
        message: `holds ${what}: ${pattern.exec(text)?.[0]}`,
      }));
    });
}
