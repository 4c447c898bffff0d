import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchCriteria } from '#features/search/model.ts';
import { mapMarkers, searchListings } from '#features/search/reads.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { testContext } from '#tests/support/context.ts';
import { freshDatabase, freshDataDir, serverIsReachable } from '#tests/support/database.ts';
import { realListingsFile, writeListingsFile } from '#tests/support/listings-file.ts';
import { createPerson } from '#tests/support/people.ts';
import { type Child, startProcess } from '#tests/support/process.ts';

const EMAIL = 'ida@example.test';
const ROWS = 4_000;
let folder: string;
let dataDir: string;
let open: Database[] = [];
let children: Child[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'acre-import-'));
  dataDir = await freshDataDir();
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.end('SIGKILL')));
  const left = open;
  open = [];
  children = [];
  for (const db of left) await db.close();
  for (const used of [folder, dataDir]) rmSync(used, { recursive: true, force: true });
});

async function opened(db: Database | Promise<Database>): Promise<Database> {
  open.push(await db);
  return db;
}
async function closed(db: Database): Promise<void> {
  open = open.filter((other) => other !== db);
  await db.close();
}
function run(path: string, environment: Record<string, string> = {}, args = ['--seller', EMAIL]): Child {
  const child = startProcess('scripts/import.ts', { DATA_DIR: dataDir, ...environment }, [path, ...args]);
  children.push(child);
  return child;
}
async function listings(db: Database): Promise<number> {
  const query = db
    .q()
    .selectFrom('properties')
    .select((all) => all.fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}
/** Listings once some are in; through the importing process itself when it has the embedded database. */
async function firstListings(connect: () => Promise<Database>): Promise<{ db: Database; count: number }> {
  for (let attempt = 0; attempt < 2_400; attempt++) {
    const db = await connect().catch(() => null);
    const count = db ? await listings(db).catch(() => 0) : 0;
    if (db && count > 0) return { db, count };
    await wait(25);
  }
  throw new Error('No listing arrived within a minute');
}
const manyRows = () =>
  writeListingsFile(
    join(folder, 'many.csv'),
    Array.from({ length: ROWS }, (_, n) => ({ address: `${n + 1} HILL RD` })),
  );

/** After the killed run: whole batches only, and the next run adds exactly the rest. */
async function completes(path: string, left: number, environment: Record<string, string>): Promise<void> {
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(ROWS);
  expect(left % 250).toBe(0);
  const again = run(path, environment);
  expect(await again.end()).toBe(0);
  const format = (count: number) => count.toLocaleString('en-US');
  expect(again.output()).toContain(
    `${format(ROWS)} rows: ${format(ROWS - left)} accepted, 0 updated, ${format(left)} unchanged, 0 refused`,
  );
}

describe('an import that is killed in the middle is completed by the next one', { timeout: 120_000 }, () => {
  it('embedded', async () => {
    const seeded = await openDatabase({ dataDir });
    await createPerson(seeded, 'agent', { email: EMAIL });
    await seeded.close();
    const path = manyRows();
    const child = run(path);
    let shared: Database | undefined;
    await firstListings(async () => {
      await child.printed(/^/);
      if (!existsSync(join(dataDir, 'database.lock'))) throw new Error('not yet open');
      shared ??= await opened(openDatabase({ dataDir, mayShare: true }));
      return shared;
    });
    expect(await child.end('SIGKILL')).toBe('SIGKILL');
    if (shared) await closed(shared);
    const db = await opened(openDatabase({ dataDir }));
    const left = await listings(db);
    await closed(db);
    await completes(path, left, {});
    expect(await listings(await opened(openDatabase({ dataDir })))).toBe(ROWS);
  });

  it('PostgreSQL', async ({ skip }) => {
    if (!(await serverIsReachable())) skip('no PostgreSQL is reachable');
    const db = await opened(freshDatabase('server'));
    await createPerson(db, 'agent', { email: EMAIL });
    const environment = { DATABASE_URL: String(db.pool.options.connectionString) };
    const path = manyRows();
    const child = run(path, environment);
    await firstListings(async () => db);
    expect(await child.end('SIGKILL')).toBe('SIGKILL');
    // The server notices the broken connection a moment later and takes the running batch back.
    await wait(500);
    await completes(path, await listings(db), environment);
    expect(await listings(db)).toBe(ROWS);
  });
});

it('works beside a process that has the embedded database open, which finds the houses by search and on the map', {
  timeout: 120_000,
}, async ({ skip }) => {
  if (!existsSync(realListingsFile)) skip('../shared/data is absent');
  const db = await opened(openDatabase({ dataDir }));
  await createPerson(db, 'agent', { email: EMAIL });
  const child = run(realListingsFile, {}, []);
  expect(await child.end()).toBe(0);
  expect(child.output()).toBe(
    `Imported for ${EMAIL}:\n3,766 rows: 3,766 accepted, 0 updated, 0 unchanged, 0 refused\n`,
  );
  const everything: SearchCriteria = {
    text: '',
    typeId: null,
    minCents: null,
    maxCents: null,
    minBeds: null,
    minBaths: null,
    sort: 'newest',
    page: 1,
    bbox: null,
  };
  const ctx = testContext(db, { now: () => new Date() });
  const found = await searchListings(ctx, { ...everything, text: 'faraway leb' });
  const inFile = readFileSync(realListingsFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(' FARAWAY '));
  expect(found.total).toBe(inFile.length);
  expect(found.rows[0]?.address).toMatch(/^\d+ Faraway Ln$/);
  const bbox = { south: 43.55, west: -72.4, north: 43.75, east: -72.1 };
  const markers = await mapMarkers(ctx, { ...everything, bbox }, 12);
  expect(markers.length).toBeGreaterThan(0);
});

describe('answers in words', () => {
  it.each<[string, (path: string) => void, string]>([
    ['a missing file', () => undefined, 'There is no file'],
    [
      'a file that is not CSV',
      (path) => writeFileSync(path, 'PK\x03\x04'),
      'The file is a workbook or an archive',
    ],
    ['other columns', (path) => writeFileSync(path, 'a;b\n1;2\n'), 'The first line must name the columns.'],
    ['an unknown seller', (path) => void writeListingsFile(path, [{}]), `There is no seller ${EMAIL}.`],
  ])('%s', async (_, write, words) => {
    const path = join(folder, 'file.csv');
    write(path);
    const child = run(path);
    expect(await child.end()).toBe(1);
    expect(child.output()).toContain(words);
    expect(child.output()).not.toMatch(/\n\s+at |Error:/);
  });

  it('no file named, a wrong option, an unusable environment', async () => {
    for (const [child, words] of [
      [startProcess('scripts/import.ts', { DATA_DIR: dataDir }), 'Usage: npm run import'],
      [run('x.csv', {}, ['--sellers', 'x']), 'Usage: npm run import'],
      [run(writeListingsFile(join(folder, 'one.csv'), [{}]), { PORT: 'x' }), 'PORT: expected a port number'],
      [run(join(folder, 'one.csv'), { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }), 'ECONNREFUSED'],
    ] as const) {
      expect(await child.end()).toBe(1);
      expect(child.output()).toContain(words);
      expect(child.output()).not.toMatch(/\n\s+at /);
    }
  });

  it('many refusals: the first twenty, all of them in a file, and how many of each', async () => {
    const db = await opened(openDatabase({ dataDir }));
    await createPerson(db, 'agent', { email: EMAIL });
    const rows = Array.from({ length: 30 }, (_, n) => (n < 25 ? { price: 'call' } : { title: 'x' }));
    const child = run(writeListingsFile(join(folder, 'wrong.csv'), rows));
    expect(await child.end()).toBe(0);
    const lines = child.output().split('\n');
    expect(lines[1]).toBe('30 rows: 5 accepted, 0 updated, 0 unchanged, 25 refused');
    expect(lines.filter((line) => line.startsWith('line '))).toHaveLength(20);
    expect(lines).toContain('  25 × price: Price must be a number greater than 0.');
    expect(lines).toContain('  5 × title: shorter than 2 characters, left blank');
    const [, file = ''] = /All 25 refusals: (.+)/.exec(child.output()) ?? [];
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(25);
  });
});
