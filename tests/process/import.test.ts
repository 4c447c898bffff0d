import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anything } from '#features/search/model.ts';
import { mapMarkers, searchListings } from '#features/search/reads.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { freshDatabase, freshDataDir, serverIsReachable } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { sampleListingsFile, writeListingsFile } from '#tests/support/fixtures/listings-file.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { startProcess, type TestProcess } from '#tests/support/server/process.ts';

const EMAIL = 'ida@example.test';
const ROWS = 2_500;
const COLUMNS =
  'source_id, price, address, property_type, title, city, state, zip, bedrooms, bathrooms, square_feet, year_built, latitude, longitude';
let folder: string;
let dataDir: string;
let open: Database[] = [];
let children: TestProcess[] = [];

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
function run(
  path: string,
  environment: Record<string, string> = {},
  args = ['--seller', EMAIL],
): TestProcess {
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
/** How many other sessions of a database have a transaction open. */
async function openTransactions(db: Database): Promise<number> {
  const sessions = sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`;
  const { rows } = await sessions.execute(db.q());
  return rows[0]?.count ?? 0;
}
/** Waits for the first listings; on the embedded database it connects through the importing process. */
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

/** Checks that the killed run left only whole batches, and that the next run adds exactly the rest. */
async function completesImport(
  path: string,
  left: number,
  environment: Record<string, string>,
): Promise<void> {
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

describe('an import that is killed halfway is completed by the next one', { timeout: 120_000 }, () => {
  it('embedded', async () => {
    const seeded = await openDatabase({ dataDir });
    await createUser(seeded, 'agent', { email: EMAIL });
    await seeded.close();
    const path = manyRows();
    const child = run(path);
    let shared: Database | undefined;
    await firstListings(async () => {
      await child.waitForOutput(/^/);
      if (!existsSync(join(dataDir, 'database.lock'))) throw new Error('not yet open');
      shared ??= await opened(openDatabase({ dataDir, mayShare: true }));
      return shared;
    });
    expect(await child.end('SIGKILL')).toBe('SIGKILL');
    if (shared) await closed(shared);
    const db = await opened(openDatabase({ dataDir }));
    const left = await listings(db);
    await closed(db);
    await completesImport(path, left, {});
    expect(await listings(await opened(openDatabase({ dataDir })))).toBe(ROWS);
  });

  it('PostgreSQL', async ({ skip }) => {
    if (!(await serverIsReachable())) skip('no PostgreSQL is reachable');
    const db = await opened(freshDatabase('server'));
    await createUser(db, 'agent', { email: EMAIL });
    const environment = { DATABASE_URL: String(db.pool.options.connectionString) };
    const path = manyRows();
    const child = run(path, environment);
    await firstListings(async () => db);
    expect(await child.end('SIGKILL')).toBe('SIGKILL');
    // The server notices the broken connection a moment later and rolls back the current batch.
    await expect.poll(() => openTransactions(db), { timeout: 15_000 }).toBe(0);
    await completesImport(path, await listings(db), environment);
    expect(await listings(db)).toBe(ROWS);
  });
});

it('works while another process has the embedded database open, which then finds the listings by search and on the map', {
  timeout: 120_000,
}, async () => {
  const db = await opened(openDatabase({ dataDir }));
  await createUser(db, 'agent', { email: EMAIL });
  const child = run(sampleListingsFile, {}, []);
  expect(await child.end()).toBe(0);
  expect(child.output()).toBe(
    [
      'CSV with commas, utf-8, 48 rows',
      `Read columns: ${COLUMNS}.`,
      'Ignored columns: none.',
      `Imported for ${EMAIL}:`,
      '48 rows: 48 accepted, 0 updated, 0 unchanged, 0 refused',
      '',
    ].join('\n'),
  );
  const ctx = testContext(db, { now: () => new Date() });
  const found = await searchListings(ctx, { ...anything, text: 'alderbrook quill' });
  const inFile = readFileSync(sampleListingsFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(' ALDERBROOK '));
  expect(found.total).toBe(inFile.length);
  expect(found.rows[0]?.address).toMatch(/^\d+ Alderbrook Ln$/);
  const bbox = { south: 43.55, west: -72.4, north: 43.75, east: -72.1 };
  const markers = await mapMarkers(ctx, { ...anything, bbox }, 12);
  expect(markers.length).toBeGreaterThan(0);
});

it('leaves places and photographs to the background, as imports in the browser do', async () => {
  const db = await opened(openDatabase({ dataDir }));
  await createUser(db, 'agent', { email: EMAIL });
  const path = join(folder, 'photos.csv');
  const rows = (count: number) =>
    Array.from(
      { length: count },
      (_, n) =>
        `h:${n},500000,${n + 1} ELM ST,Lebanon,NH,03766,Single Family,${n === 0 ? 'https://photos.test/a.jpg https://photos.test/b.jpg' : ''}`,
    );
  const write = (count: number) =>
    writeFileSync(
      path,
      `${['source_id,price,address,city,state,zip,property_type,photo_urls', ...rows(count)].join('\n')}\n`,
    );
  write(2);
  const places = { GEOCODER_URL: 'https://places.test/search' };
  const dry = run(path, places, ['--seller', EMAIL, '--dry-run']);
  expect(await dry.end()).toBe(0);
  expect(dry.output()).not.toContain('in the background');
  const first = run(path, places);
  expect(await first.end()).toBe(0);
  expect(first.output()).toContain('The server fetches in the background: 2 places, 2 photos.');
  const { rows: photos } = await sql<object>`
    select p.source_id, r.url, r.position, r.status, r.import_id
    from remote_photos r join properties p on p.id = r.property_id order by r.position`.execute(db.q());
  const photo = { source_id: 'h:0', status: 'waiting', import_id: null };
  expect(photos).toEqual([
    { ...photo, url: 'https://photos.test/a.jpg', position: 0 },
    { ...photo, url: 'https://photos.test/b.jpg', position: 1 },
  ]);
  const { rows: looked } = await sql<object>`
    select l.status, p.location_precision from listing_places l join properties p on p.id = l.property_id`.execute(
    db.q(),
  );
  expect(looked).toEqual(Array(2).fill({ status: 'waiting', location_precision: 'zip' }));

  // Once more: only what is new.
  write(3);
  const again = run(path, places);
  expect(await again.end()).toBe(0);
  expect(again.output()).toContain('3 rows: 1 accepted, 0 updated, 2 unchanged, 0 refused');
  expect(again.output()).toContain('The server fetches in the background: 1 place.');
});

describe('error messages', () => {
  it.each<[string, (path: string) => void, string]>([
    ['a missing file', () => undefined, 'There is no file'],
    [
      'a file that is not CSV',
      (path) => writeFileSync(path, 'PK\x03\x04'),
      'The file is a workbook or an archive',
    ],
    [
      'other columns',
      (path) => writeFileSync(path, 'a;b\n1;2\n'),
      'Missing: price, address, property_type. Found: "a", "b".',
    ],
    ['an unknown seller', (path) => void writeListingsFile(path, [{}]), `There is no seller ${EMAIL}.`],
  ])('%s', async (_, write, message) => {
    const path = join(folder, 'file.csv');
    write(path);
    const child = run(path);
    expect(await child.end()).toBe(1);
    expect(child.output()).toContain(message);
    expect(child.output()).not.toMatch(/\n\s+at |Error:/);
  });

  it('a missing argument, an unknown option, an invalid environment', async () => {
    for (const [child, message] of [
      [startProcess('scripts/import.ts', { DATA_DIR: dataDir }), 'Usage: npm run import'],
      [run('x.csv', {}, ['--sellers', 'x']), 'Usage: npm run import'],
      [run(writeListingsFile(join(folder, 'one.csv'), [{}]), { PORT: 'x' }), 'PORT: expected a port number'],
      [run(join(folder, 'one.csv'), { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }), 'ECONNREFUSED'],
    ] as const) {
      expect(await child.end()).toBe(1);
      expect(child.output()).toContain(message);
      expect(child.output()).not.toMatch(/\n\s+at /);
    }
  });

  it('words for property types: they stand for what is said, are left out, or name no type', async () => {
    const db = await opened(openDatabase({ dataDir }));
    await createUser(db, 'agent', { email: EMAIL });
    const rows = ['Yurt', 'Yurt', 'Earthship', 'Single Family'].map((property_type) => ({ property_type }));
    const path = writeListingsFile(join(folder, 'kinds.csv'), rows);
    for (const [type, message] of [
      [
        'Yurt=Castle',
        '--type "Yurt=Castle": there is no such property type. The property types are: Vacant Lot,',
      ],
      ['Yurt=Townhouse', 'the property type Townhouse is off; --activate-types switches it on.'],
      ['Yurt', '--type is WORD=TYPE, such as R1="Single Family"; WORD= leaves its rows out.'],
    ] as const) {
      const refused = run(path, {}, ['--type', type]);
      expect(await refused.end()).toBe(1);
      expect(refused.output()).toContain(message);
    }
    const child = run(path, {}, ['--type', 'Yurt=Vacant Lot', '--type', 'Earthship=']);
    expect(await child.end()).toBe(0);
    expect(child.output()).toContain('4 rows: 3 accepted, 0 updated, 0 unchanged, 1 refused');
    expect(child.output()).toContain(
      'line 4: property_type: Rows with this property type are left out, as chosen. ("Earthship")',
    );
    const { rows: types } = await sql<{ name: string }>`
      select t.name from properties p join property_types t on t.id = p.type_id order by t.name`.execute(
      db.q(),
    );
    expect(types.map(({ name }) => name)).toEqual(['Single Family', 'Vacant Lot', 'Vacant Lot']);
  });

  it('many refused rows: the first twenty are printed, all are written to a file, and each reason is counted', async () => {
    const db = await opened(openDatabase({ dataDir }));
    await createUser(db, 'agent', { email: EMAIL });
    const rows = Array.from({ length: 30 }, (_, n) => (n < 25 ? { price: 'call' } : { title: 'x' }));
    const child = run(writeListingsFile(join(folder, 'wrong.csv'), rows));
    expect(await child.end()).toBe(0);
    const lines = child.output().split('\n');
    expect(lines).toContain('30 rows: 5 accepted, 0 updated, 0 unchanged, 25 refused');
    expect(lines.filter((line) => line.startsWith('line '))).toHaveLength(20);
    expect(lines).toContain('  25 × price: Price is not a number. "call" 25 ×');
    expect(lines).toContain('  5 × title: shorter than 2 characters, left blank');
    const [, file = ''] = /All 25 refusals: (.+)/.exec(child.output()) ?? [];
    expect(readFileSync(file, 'utf8').trim().split('\r\n')).toEqual([
      'line,column,reason,value',
      ...Array.from({ length: 25 }, (_, n) => `${n + 2},price,Price is not a number.,call`),
    ]);
  });
});
