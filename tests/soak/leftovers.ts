import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import pg from 'pg';
import { databaseUrl } from '#tests/support/database/empty-database.ts';
import { isDone, type SliceResult } from './results.ts';

/** Removes the servers and databases that a slice left behind when its process was killed on this machine. */
export async function removeLeftovers(results: readonly SliceResult[]): Promise<void> {
  const killed = results.filter((one) => !isDone(one) && one.process.host === hostname());
  for (const pid of new Set(killed.map((one) => one.process.pid))) {
    if (pid === process.pid || isAlive(pid)) continue;
    const prefix = `acre_own_${pid}_`;
    killServersOf(prefix);
    await dropDatabases(prefix);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Only Linux tells the environment of a process; elsewhere its servers end when they lose their database. */
function killServersOf(prefix: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number))
    if (environmentOf(pid).some((line) => line.startsWith('DATABASE_URL=') && line.includes(`/${prefix}`)))
      process.kill(pid, 'SIGKILL');
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has ended, or belongs to somebody else.
    return [];
  }
}

async function dropDatabases(prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
  } finally {
    await client.end();
  }
}
