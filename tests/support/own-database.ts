import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The PostgreSQL on which tests make databases of their own. */
export const testServerUrl = (): string => {
  const url = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
  if (!url) throw new Error('This test needs a PostgreSQL: set TEST_DATABASE_URL');
  return url;
};

/** The address of a database on that server. */
export function urlOfDatabase(name: string): string {
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements beside all databases under test. */
export async function administer(statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: testServerUrl() });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}

/** A database with nothing in it. */
export async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `acre_own_${process.pid}_${randomBytes(5).toString('hex')}`;
  await administer(`create database ${name}`);
  return { url: urlOfDatabase(name), drop: () => administer(`drop database if exists ${name} with (force)`) };
}

/** Ends every session of a database, as a restart of the server would. */
export const endSessions = (name: string): Promise<void> =>
  administer('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
