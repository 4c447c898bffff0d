import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { openDatabase } from '#platform/db/database.ts';
import { programFolder } from '../postgres.mjs';
import type { BackupMethod } from './backup.ts';

/** PostgreSQL's own programs were not found or failed. */
class BackupFailed extends Error {
  override readonly name = 'BackupFailed';
}

/**
 * `pg_dump` of a snapshot that this process reads too, restored by `pg_restore` into a new database.
 * @param originalUrl the database to back up
 * @param serverUrl the server, by any of its databases, on which the copy is created and dropped again
 * @throws BackupFailed when the programs are missing
 */
export function postgresBackup(originalUrl: string, serverUrl: string): BackupMethod {
  const programs = programFolder(['pg_dump', 'pg_restore']);
  if (!programs)
    throw new BackupFailed('pg_dump and pg_restore were not found: install the PostgreSQL client');
  const folder = mkdtempSync(join(tmpdir(), 'acre-rehearsal-'));
  const file = join(folder, 'backup.dump');
  const name = `acre_rehearsal_${randomBytes(5).toString('hex')}`;
  const copyUrl = new URL(serverUrl);
  copyUrl.pathname = `/${name}`;
  let wasCreated = false;
  return {
    take: (original, read) =>
      original.tx(async () => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(original.q());
        const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(original.q());
        const dump = run(join(programs, 'pg_dump'), originalUrl, [
          '--format=custom',
          `--snapshot=${rows[0]?.id}`,
          `--file=${file}`,
        ]);
        const [facts] = await Promise.all([read(original), dump]);
        return { facts, bytes: statSync(file).size, blockedSeconds: 0 };
      }),
    async restore() {
      await runOnServer(serverUrl, `create database ${name} template template0`);
      wasCreated = true;
      await run(join(programs, 'pg_restore'), copyUrl.href, [
        '--exit-on-error',
        '--no-owner',
        '--no-privileges',
        '--jobs=2',
        file,
      ]);
      return openDatabase({ url: copyUrl.href, dataDir: null, statementTimeout: 0 });
    },
    async remove() {
      rmSync(folder, { recursive: true, force: true });
      if (wasCreated) await runOnServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Runs a program on a database, of several hosts on the one that accepts writes, as the product itself: a snapshot is known to its own
 * server alone. The password goes by the environment, since others can read the arguments.
 */
async function run(program: string, url: string, options: string[]): Promise<void> {
  // Not by `URL`, which knows no address with several hosts.
  const [, start = '', password = '', rest = ''] = /^(\w+:\/\/[^:@/?]*)(?::([^@/?]*))?(.*)$/.exec(url) ?? [];
  const hasUser = rest.startsWith('@');
  const child = spawn(program, [`--dbname=${hasUser ? start + rest : url}`, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PGTARGETSESSIONATTRS: 'read-write',
      ...process.env,
      ...(hasUser && password && { PGPASSWORD: decodeURIComponent(password) }),
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new BackupFailed(`${program} ended with ${code}: ${said.trim()}`);
}
