import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';

/** Entry points of the packages' commands, which run under this process's Node. */
const COMMANDS = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  playwright: 'node_modules/@playwright/test/cli.js',
  'react-router': 'node_modules/@react-router/dev/bin.cjs',
  stryker: 'node_modules/@stryker-mutator/core/bin/stryker.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
};

/**
 * Runs a command of a package or a script of the project.
 * @param {string} command a name of COMMANDS or a path
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string | undefined> }} options quiet: output is captured instead of shown
 * @returns {Promise<{ ok: boolean, output: string, seconds: number }>}
 */
export function run(command, args = [], { quiet = false, env = {} } = {}) {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, COMMANDS[command] ?? command), ...args], {
    cwd: root,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message, seconds: 0 }));
    child.once('close', (code) =>
      resolve({ ok: code === 0, output, seconds: (performance.now() - began) / 1000 }),
    );
  });
}
