import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './rules.ts';

/** Traces that only code of the server leaves in a bundle. */
const TRACES: [RegExp, string][] = [
  [/["'`]node:[a-z_/]+["'`]/, 'a module of Node'],
  [/__vite-browser-external/, 'a module of Node'],
  [/selectFrom\(["'`]|insertInto\(["'`]|updateTable\(["'`]/, 'a query'],
  [/pg_notify|pg_advisory|SASLInitialResponse/, 'the database client'],
  [/process\.env\.(?!NODE_ENV)[A-Z]/, 'a variable of the environment'],
];

/** What the browser would load and must not; nothing to say before the first build. */
export function checkBundle(folder: string): Finding[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return TRACES.filter(([trace]) => trace.test(text)).map(([trace, what]) => ({
        file: `build/client/${name.replaceAll('\\', '/')}`,
        line: null,
        message: `holds ${what}: ${trace.exec(text)?.[0]}`,
      }));
    });
}
