import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';
import { memoryFolder } from './memory-folder.mjs';

/** Only ends a hang. */
const LONGEST_MS = 600_000;
const READY = 'Acre Trading Post is at';
const DEMO = 'Demo accounts, all with the password';

/**
 * Starts the server as `npm start` does for a newcomer: with nothing set and an empty data folder, so that it builds if it
 * must, loads the demo market and serves it. Stops it again.
 * @param {Record<string, string | undefined>} environment variables that differ from this process's
 * @throws {Error} when it does not serve the demo market, or does not stop in order
 */
export async function firstStart(environment) {
  const folder = mkdtempSync(join(memoryFolder(), 'acre-first-start-'));
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, PORT: String(port), DATA_DIR: folder },
  });
  let output = '';
  try {
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
      setTimeout(() => reject(new Error(`npm start is not ready:\n${output}`)), LONGEST_MS).unref();
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (piece) => {
          output += piece;
          if (output.includes(READY)) resolve();
        });
    });
    if (!output.includes(DEMO)) throw new Error(`npm start did not load the demo market:\n${output}`);
    const answer = await fetch(`http://localhost:${port}/properties`).catch((error) => {
      throw new Error(`npm start does not answer: ${error.cause ?? error}\n${output}`);
    });
    if (!answer.ok) throw new Error(`npm start serves no properties: ${answer.status}`);
  } finally {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
  if (child.exitCode !== 0) throw new Error(`npm start did not stop in order: ${child.exitCode}\n${output}`);
}

/**
 * A free port below those that connections take by themselves, since a build can lie between choosing and using it, and above
 * those that `fetch` refuses.
 */
async function freePort() {
  for (;;) {
    const port = randomInt(10_100, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
