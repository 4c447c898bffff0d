import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { projectRoot } from '#platform/project-root.ts';
import { memoryFolder } from '../../../scripts/memory-folder.mjs';

export type DatabaseKind = 'server' | 'embedded';

const TEMPLATE_LOCK = 7_421_901;
/** Read anew each time, since benches name a server when theirs has started. */
const serverUrl = (): string | null => process.env.TEST_DATABASE_URL || process.env.DATABASE_URL || null;
let reachable: Promise<boolean> | undefined;

/** True when the PostgreSQL server of TEST_DATABASE_URL or DATABASE_URL can be reached. */
export function serverIsReachable(): Promise<boolean> {
  const url = serverUrl();
  reachable ??= url ? canConnect(url) : Promise.resolve(false);
  return reachable;
}

/**
 * A new migrated database, empty except for the seed rows of the schema. `close()` drops it.
 * PostgreSQL: a clone of a template (about 50 ms). Embedded: a copy of a migrated folder (about half a second).
 * @throws Error for 'server' when no PostgreSQL can be reached
 */
export async function freshDatabase(kind: DatabaseKind): Promise<Database> {
  return kind === 'server' ? freshOnServer() : freshEmbedded();
}

/** PostgreSQL where it is reachable, else the embedded database: for tests that behave alike on both. */
export async function mainDatabase(): Promise<DatabaseKind> {
  return (await serverIsReachable()) ? 'server' : 'embedded';
}

/** Declares tests whose SQL behaves alike on both databases: on PostgreSQL, or on the embedded one where there is no server. */
export async function describeOnDatabase(
  name: string,
  tests: (open: () => Promise<Database>, kind: DatabaseKind) => void,
  options: { timeout?: number } = {},
): Promise<void> {
  const kind = await mainDatabase();
  describe(`${name} (${kind === 'server' ? 'PostgreSQL' : 'embedded'})`, options, () =>
    tests(() => freshDatabase(kind), kind),
  );
}

/** Declares the same tests for the embedded database and PostgreSQL; without a server the latter are reported as skipped. */
export async function describeOnEachDatabase(
  name: string,
  tests: (open: () => Promise<Database>, kind: DatabaseKind) => void,
): Promise<void> {
  describe(`${name} (embedded)`, () => tests(() => freshDatabase('embedded'), 'embedded'));
  const hasServer = await serverIsReachable();
  const title = hasServer
    ? 'PostgreSQL'
    : 'PostgreSQL skipped: none reachable by TEST_DATABASE_URL or DATABASE_URL';
  describe.skipIf(!hasServer)(`${name} (${title})`, () => tests(() => freshDatabase('server'), 'server'));
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Part of the template's name, so that a changed schema gets a new template. */
function schemaHash(): string {
  const folder = join(projectRoot, 'platform/db/migrations');
  const hash = createHash('sha256').update(readFileSync(join(projectRoot, 'platform/db/migrate.ts')));
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}

// Computed when the module loads: a template must hold the schema that this process has loaded.
const SCHEMA = schemaHash();

async function freshOnServer(): Promise<Database> {
  const { url, drop } = await cloneTemplate();
  return withCleanup(await openDatabase({ url, dataDir: null }), drop);
}

/**
 * A new migrated database on the PostgreSQL server, for a separate process.
 * @throws Error when no PostgreSQL can be reached
 */
export async function cloneTemplate(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = serverUrl();
  if (!server || !(await serverIsReachable())) {
    throw new Error('No PostgreSQL is reachable: set TEST_DATABASE_URL or DATABASE_URL');
  }
  const template = `acre_test_template_${SCHEMA}`;
  const name = `acre_test_${process.pid}_${randomBytes(5).toString('hex')}`;
  await withAdminClient(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(client, server, template);
    // Copying the files takes a quarter of the work of writing every page to the log as well.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  });
  const drop = () =>
    withAdminClient(server, async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
    });
  return { url: databaseUrl(server, name), drop };
}

/** Builds the template under a temporary name first, so that an interrupted migration is never used. */
async function ensureTemplate(client: pg.Client, url: string, template: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
  if (rowCount) return;
  const unfinished = `${template}_unfinished`;
  await client.query(`drop database if exists ${unfinished} with (force)`);
  await client.query(`create database ${unfinished}`);
  const database = await openDatabase({ url: databaseUrl(url, unfinished), dataDir: null });
  await migrate(database);
  await database.close();
  await client.query(`alter database ${unfinished} rename to ${template}`);
}

async function withAdminClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** A new DATA_DIR with a migrated embedded database, for a separate process. */
export async function freshDataDir(): Promise<string> {
  const template = join(tmpdir(), `acre-test-embedded-${SCHEMA}`);
  if (!existsSync(template)) await buildEmbeddedTemplate(template);
  const dataDir = mkdtempSync(join(memoryFolder(), 'acre-test-'));
  cpSync(join(template, 'database'), join(dataDir, 'database'), { recursive: true });
  return dataDir;
}

async function freshEmbedded(): Promise<Database> {
  const dataDir = await freshDataDir();
  const database = await openDatabase({ dataDir });
  return withCleanup(database, async () => rmSync(dataDir, { recursive: true, force: true }));
}

async function buildEmbeddedTemplate(template: string): Promise<void> {
  const unfinished = mkdtempSync(`${template}-unfinished-`);
  const database = await openDatabase({ dataDir: unfinished });
  await migrate(database);
  await database.close();
  try {
    renameSync(unfinished, template);
  } catch (error) {
    // Another test process built the same template first.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(template)) throw error;
  }
}

function withCleanup(database: Database, remove: () => Promise<void>): Database {
  return {
    ...database,
    close: async () => {
      await database.close();
      await remove();
    },
  };
}
