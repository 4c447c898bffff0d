import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '#tests/support/server/free-port.ts';
import { memoryFolder } from './memory-folder.mjs';

const OLDEST = 15;

/**
 * A PostgreSQL server for tests: the one of TEST_DATABASE_URL or DATABASE_URL, where tests create their own databases and
 * do not touch the named one, or one started from installed binaries in a temporary folder.
 * @returns {Promise<{ url: string, version: string, stop(): Promise<void> } | { reason: string }>}
 */
export async function findPostgres(environment = process.env) {
  const given = environment.TEST_DATABASE_URL || environment.DATABASE_URL;
  if (given) return takeGiven(given);
  const folder = programFolder(['initdb', 'postgres']);
  if (!folder)
    return { reason: 'neither TEST_DATABASE_URL, DATABASE_URL nor PostgreSQL binaries were found' };
  return startLocal(folder);
}

async function takeGiven(url) {
  try {
    const { version, mayCreate } = await ask(url);
    if (Number.parseInt(version, 10) < OLDEST)
      return { reason: `the given PostgreSQL ${version} is older than ${OLDEST}` };
    if (!mayCreate)
      return { reason: 'the given PostgreSQL role may not create databases (ALTER ROLE … CREATEDB)' };
    return { url, version, stop: async () => {} };
  } catch (error) {
    return { reason: `the given PostgreSQL cannot be reached: ${error.message}` };
  }
}

async function ask(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  const { rows } = await client.query(
    `select current_setting('server_version') as version, rolcreatedb or rolsuper as "mayCreate"
     from pg_roles where rolname = current_user`,
  );
  await client.end();
  return { version: rows[0].version.split(' ')[0], mayCreate: rows[0].mayCreate };
}

/** The folder of the newest installed PostgreSQL that has all of these programs; undefined when there is none. */
export function programFolder(programs) {
  const numbered = (parent, bin) =>
    existsSync(parent)
      ? readdirSync(parent)
          .sort((a, b) => Number.parseFloat(b.replace(/\D+/, '')) - Number.parseFloat(a.replace(/\D+/, '')))
          .map((name) => join(parent, name, bin))
      : [];
  return [
    ...(process.env.PATH ?? '').split(':'),
    ...numbered('/usr/lib/postgresql', 'bin'),
    ...numbered('/opt/homebrew/opt', 'bin').filter((path) => path.includes('/postgresql@')),
    ...numbered('/usr/local/opt', 'bin').filter((path) => path.includes('/postgresql@')),
    ...numbered('/Applications/Postgres.app/Contents/Versions', 'bin'),
    '/usr/pgsql-17/bin',
    '/usr/pgsql-16/bin',
    '/usr/pgsql-15/bin',
  ].find((path) => path && programs.every((program) => existsSync(join(path, program))));
}

async function startLocal(binaries) {
  const folder = mkdtempSync(join(memoryFolder(), 'acre-postgres-'));
  const data = join(folder, 'data');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const owner = unprivileged();
    if (owner) chownSync(folder, owner.uid, owner.gid);
    const options = { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...owner };
    execFileSync(
      join(binaries, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'],
      options,
    );
    const port = await freePort();
    // The data does not outlive the test run, so there is no need to wait for the disk.
    const settings = [
      'fsync=off',
      'full_page_writes=off',
      'synchronous_commit=off',
      'max_wal_size=256MB',
      'max_connections=200',
      // Hundreds of short-lived databases: what these two cost is never earned back.
      'autovacuum=off',
      'jit=off',
      `unix_socket_directories=${folder}`,
      'listen_addresses=127.0.0.1',
    ];
    const server = spawn(
      join(binaries, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      options,
    );
    const ended = once(server, 'exit');
    // The server logs errors to stderr; it would block once an unread pipe is full.
    server.stderr.resume();
    process.once('exit', () => server.kill('SIGQUIT'));
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const { version } = await answering(url, server);
    return {
      url,
      version,
      async stop() {
        server.kill('SIGINT');
        await ended;
        remove();
      },
    };
  } catch (error) {
    remove();
    return {
      reason: `PostgreSQL in ${binaries} could not be started: ${error.stderr?.toString().trim() || error.message}`,
    };
  }
}

/** PostgreSQL refuses to run as root, so root starts it as the user `postgres` or `nobody`. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such user: try the next one.
    }
  }
  throw new Error('no user but root to run it as');
}

async function answering(url, server) {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return await ask(url);
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await wait(100);
    }
  }
}
