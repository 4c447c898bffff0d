import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Must run on Node 20 with nothing installed: no dependencies and no newer syntax.

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const projectNode = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGINT'];

/**
 * Makes a script run under the project's own Node with the locked packages installed. Installs them when they are
 * missing or differ from package-lock.json, then runs the script again and exits with its code. Returns immediately
 * when the process already runs that way.
 * @param {string} script `import.meta.url` of the calling script
 * @param {Record<string, string>} needed environment variables that must be set before the process starts; existing ones win
 */
export async function bootstrap(script, needed = {}) {
  process.chdir(root);
  if (process.env.ACRE_BOOTSTRAPPED === String(process.ppid)) {
    delete process.env.ACRE_BOOTSTRAPPED;
    followParent();
    return;
  }
  if (!isInstalled()) install();
  const surrounded = Object.keys(needed).every((name) => name in process.env);
  if (process.execPath === projectNode && surrounded) return;
  const code = await runAgain([fileURLToPath(script), ...process.argv.slice(2)], needed);
  process.exit(code);
}

/** True when node_modules matches package-lock.json, according to npm's own record of what it installed. */
export function isInstalled(folder = root) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  const present = readPackages(join(folder, 'node_modules/.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || present[path]?.version === entry.version || (entry.optional && !present[path]),
  );
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

function install() {
  console.error('Installing the packages of package-lock.json …');
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js')
    ? [process.execPath, [npm]]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
  // The build tools are needed even where NODE_ENV=production would leave them out.
  const options = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(command, [...first, ...options], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command.endsWith('.cmd'),
  });
  if (error || status !== 0) fail(`npm ci did not succeed${error ? `: ${error.message}` : ''}`);
  if (!isInstalled()) fail('npm ci left packages out; see its messages above');
}

function runAgain(args, needed) {
  if (!existsSync(projectNode)) {
    fail(
      `${projectNode} is missing: npm was told to run no install scripts. Run\n` +
        '  npm rebuild node --ignore-scripts=false\nand try again.',
    );
  }
  const child = spawn(projectNode, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...needed,
      ...process.env,
      ACRE_BOOTSTRAPPED: String(process.pid),
      PATH: `${join(root, 'node_modules/.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`,
    },
  });
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole process group, so the child has received it already.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/** Stops this process when its parent is killed, so that it does not keep the port. */
function followParent() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
