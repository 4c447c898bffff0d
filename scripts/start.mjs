import module from 'node:module';
import { join } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';

// `npm start`: installs, builds and runs, even from a fresh clone.
// With this threshold glibc returns large blocks at once, which halves the peak memory of image processing.
await bootstrap(import.meta.url, process.platform === 'linux' ? { MALLOC_MMAP_THRESHOLD_: '1000000' } : {});
if (!process.env.NODE_ENV) {
  // Libraries should run their production code, but this is not a declared production machine: the strict checks of
  // production (APP_SECRET, no sandbox providers) apply only with an explicit NODE_ENV=production. Decided before the
  // build, which sets it as well.
  process.env.NODE_ENV = 'production';
  process.env.ACRE_UNDECLARED = 'on';
}
const { build, isBuilt } = await import('./build.mjs');
if (!isBuilt()) {
  console.error('Building …');
  await build();
}
// Caching compiled code makes starting about a fifth faster.
module.enableCompileCache(join(root, 'node_modules/.cache/compiled'));
await import('../build/server/index.js');
