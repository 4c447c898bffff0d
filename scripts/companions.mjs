import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { root } from './bootstrap.mjs';

/** What runs beside the server, in a process or thread of its own. */
const CODE = ['gateways/images/image-worker-process.ts', 'platform/db/embedded/worker.ts'];
const DATA = ['gateways/geocoder/zips.bin.gz'];

/** Builds the server's companions into a folder beside it; `companionFile` finds them there. */
export async function buildCompanions(serverFolder) {
  const folder = join(serverFolder, 'companions');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'esnext',
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: {
        input: CODE.map((file) => join(root, file)),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  for (const file of DATA) copyFileSync(join(root, file), join(folder, basename(file)));
}
