import module from 'node:module';
import { join } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';

// `npm start`: everything needed to run, from a fresh clone.
// Picture work halves its peak of memory when glibc gives large blocks back at once.
await bootstrap(import.meta.url, process.platform === 'linux' ? { MALLOC_MMAP_THRESHOLD_: '1000000' } : {});
const { build, isBuilt } = await import('./build.mjs');
if (!isBuilt()) {
  console.error('Building …');
  await build();
}
if (!process.env.NODE_ENV) {
  // Libraries run their production code, but nobody has declared this to be a production machine: what is strict
  // there (APP_SECRET, no sandbox providers) is asked for only by an explicit NODE_ENV=production.
  process.env.NODE_ENV = 'production';
  process.env.ACRE_UNDECLARED = 'on';
}
// Compiled code is kept between starts, which spares about a fifth of the work of one.
module.enableCompileCache(join(root, 'node_modules/.cache/compiled'));
await import('../build/server/index.js');
