import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bootstrap, root } from './bootstrap.mjs';
import { sourceHash } from './source-hash.mjs';

const stamp = join(root, 'build/sources.sha256');
const COMPRESSIBLE = /\.(css|html|ico|js|json|map|mjs|svg|txt|webmanifest|xml)$/;
const WORTH_IT = 1024;

/** True when build/ was made from the current sources. */
export function isBuilt() {
  try {
    return readFileSync(stamp, 'utf8') === sourceHash(root);
  } catch {
    return false;
  }
}

/** Builds the client and server bundles into build/ and compresses the client's files. */
export async function build() {
  const hash = sourceHash(root);
  rmSync(stamp, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (status !== 0) throw new Error('The build did not succeed; see its messages above');
  const { buildCompanions } = await import('./companions.mjs');
  await buildCompanions(join(root, 'build/server'));
  await compress(join(root, 'build/client'));
  writeFileSync(stamp, hash);
}

async function compress(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size >= WORTH_IT);
  await Promise.all(files.map(compressFile));
}

async function compressFile(file) {
  const content = readFileSync(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, quality),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  if (brotli.length < content.length) writeFileSync(`${file}.br`, brotli);
  if (gzipped.length < content.length) writeFileSync(`${file}.gz`, gzipped);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap(import.meta.url);
  await build();
}
