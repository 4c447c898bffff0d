import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { projectRoot } from '#platform/project-root.ts';
import { unprivileged } from '../../../scripts/postgres.mjs';
import { freePort } from '../server/free-port.ts';
import { installed } from '../server/installed.ts';

/** PgBouncer with the configuration of `deploy/`, before one or more databases. */
export interface Pooler {
  port: number;
  /** the address of the database of that address through PgBouncer */
  urlOf(direct: string): string;
  pid: number;
  stop(): Promise<void>;
}

export const pgbouncer = installed('pgbouncer');

/** Who signs in to PgBouncer, which signs in to the server as the address of each database says. */
const [USER, PASSWORD] = ['market', 'password-of-a-test'];

/**
 * Starts PgBouncer before these databases, whose names in it are `db0`, `db1` …
 * @param settings changes to the settings of `deploy/pgbouncer.ini`
 * @throws Error with its log when it does not start
 */
export async function startPgbouncer(
  databases: readonly string[],
  settings: Record<string, string | number> = {},
): Promise<Pooler> {
  if (!pgbouncer) throw new Error('PgBouncer is needed');
  const folder = mkdtempSync(join(tmpdir(), 'acre-pgbouncer-'));
  const port = Number(settings.listen_port) || (await freePort());
  const lines = databases.map((url, index) => `db${index} = ${connectionOf(url)}`);
  const changed = {
    listen_port: port,
    auth_file: join(folder, 'users.txt'),
    unix_socket_dir: '',
    ...settings,
  };
  writeFileSync(join(folder, 'users.txt'), `"${USER}" "${PASSWORD}"`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    [
      // A second heading of the same section would take back what stands under the first.
      readFileSync(join(projectRoot, 'deploy/pgbouncer.ini'), 'utf8').replace(
        '[databases]',
        ['[databases]', ...lines].join('\n'),
      ),
      ...Object.entries(changed).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  );
  // It refuses to run as root.
  const owner = unprivileged();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const child = spawn(pgbouncer, [join(folder, 'pgbouncer.ini')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...owner,
  });
  let output = '';
  child.stderr.on('data', (piece) => (output += piece));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  const urlOf = (direct: string) =>
    `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/db${databases.indexOf(direct)}`;
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + 10_000; !(await answers(urlOf(databases[0] ?? ''))); await wait(50)) {
    if (child.exitCode === null && Date.now() < deadline) continue;
    await stop();
    throw new Error(`PgBouncer did not start:\n${output}`);
  }
  return { port, urlOf, pid: child.pid ?? 0, stop };
}

function connectionOf(url: string): string {
  const { hostname, port, pathname, username, password } = new URL(url);
  const secret = password && ` password=${password}`;
  return `host=${hostname} port=${port || 5432} dbname=${pathname.slice(1)} user=${username}${secret}`;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
