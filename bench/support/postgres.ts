import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '#tests/support/server/free-port.ts';

/**
 * A PostgreSQL server to measure on: BENCH_DATABASE_URL, DATABASE_URL, or a locally installed one started for the run, with
 * its data kept in a cache folder so that the databases need not be rebuilt.
 * @throws Error when none is available
 */
export async function startPostgres(): Promise<{ url: string; stop: () => void }> {
  const given = process.env.BENCH_DATABASE_URL || process.env.DATABASE_URL;
  if (given) return { url: given, stop: () => undefined };
  const bin = findBinaries();
  if (!bin) {
    throw new Error(
      'The bench needs PostgreSQL: set BENCH_DATABASE_URL or DATABASE_URL, or install one (initdb, pg_ctl)',
    );
  }
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'acre-bench');
  const data = process.getuid?.() === 0 ? '/var/tmp/acre-bench/postgres' : join(cache, 'postgres');
  const run = asOrdinaryUser(data);
  if (!existsSync(join(data, 'PG_VERSION'))) {
    run(join(bin, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  }
  const port = await freePort();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c shared_buffers=1GB`;
  run(join(bin, 'pg_ctl'), ['-D', data, '-l', join(data, 'log'), '-o', settings, '-w', 'start']);
  return {
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    stop: () => run(join(bin, 'pg_ctl'), ['-D', data, '-m', 'fast', '-w', 'stop']),
  };
}

function findBinaries(): string | null {
  const versions = '/usr/lib/postgresql';
  const folders = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(versions, version, 'bin'))
    : [];
  folders.push('/usr/local/bin', '/usr/bin', '/opt/homebrew/bin');
  return (
    folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl'))) ?? null
  );
}

/** PostgreSQL refuses to run as root, so root runs it as the package's user or as nobody. */
function asOrdinaryUser(data: string): (command: string, args: string[]) => void {
  mkdirSync(dirname(data), { recursive: true, mode: 0o755 });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];
  if (process.getuid?.() !== 0) return (command, args) => void execFileSync(command, args, { stdio });
  const user = spawnSync('id', ['-u', 'postgres']).status === 0 ? 'postgres' : 'nobody';
  const id = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, user], { encoding: 'utf8' }));
  const [uid, gid] = [id('-u'), id('-g')];
  execFileSync('chown', ['-R', `${uid}:${gid}`, data]);
  return (command, args) => void execFileSync(command, args, { stdio, uid, gid, cwd: '/' });
}
