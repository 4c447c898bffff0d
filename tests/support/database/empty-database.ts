import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The URL of the PostgreSQL server on which tests create databases. */
const testServerUrl = (): string => {
  const url = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
  if (!url) throw new Error('This test needs a PostgreSQL: set TEST_DATABASE_URL');
  return url;
};

/** The URL of a database on that server. */
export function databaseUrl(name: string): string {
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs a statement on the server's default database. */
async function runOnServer(statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}

/** Creates an empty database, or a clone of another one to which nothing is connected. */
export async function createEmptyDatabase(
  template?: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `acre_own_${process.pid}_${randomBytes(5).toString('hex')}`;
  await runOnServer(`create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`);
  return { url: databaseUrl(name), drop: () => runOnServer(`drop database if exists ${name} with (force)`) };
}

/** Terminates all connections to a database, as a restart of the server would. */
export const terminateConnections = (name: string): Promise<void> =>
  runOnServer('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
