import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap } from './bootstrap.mjs';

// `node scripts/run.mjs FILE.ts …`: runs a TypeScript file under the project's own Node.
await bootstrap(import.meta.url);
const [file, ...rest] = process.argv.slice(2);
if (!file) {
  console.error('Usage: node scripts/run.mjs FILE.ts [arguments]');
  process.exit(2);
}
process.argv.splice(1, process.argv.length - 1, resolve(file), ...rest);
await import(pathToFileURL(resolve(file)).href);
