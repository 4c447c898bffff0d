import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { type ImportArea, importPaths } from '#routing/import-paths.ts';
import {
  cloneTemplate,
  type DatabaseKind,
  freshDataDir,
  serverIsReachable,
} from '#tests/support/database/test-database.ts';
import { listingsCsv } from '#tests/support/fixtures/imports.ts';
import { runListingsImport } from '#tests/support/fixtures/listings-import.ts';
import { createUser, giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { killWhenItStands, standingStillAt } from '#tests/support/server/killed-at-statement.ts';
import { PlainBrowser } from '#tests/support/server/plain-browser.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';
import { memoryFolder } from '../../scripts/memory-folder.mjs';

const APP_SECRET = 'a secret for tests only, long enough for its check';
const OLD_PRICE = 440_000_00;
const NEW_PRICE = 450_000_00;

// Four batches of at most 250 rows. One row in four can be accepted; of the first eighty, those are listed already, half of them at another
// price. One accepted row in three has a ZIP code that is corrected.
const ROWS = Array.from({ length: 850 }, (_, at) => at + 1);
const accepted = ROWS.filter((row) => row % 4 === 0);
const listed = accepted.filter((row) => row <= 80);
const changed = listed.filter((row) => row % 8 === 0);
const added = accepted.length - listed.length;
const refused = ROWS.length - accepted.length;
const unchanged = listed.length - changed.length;
const corrected = accepted.filter((row) => row % 3 === 0);
const FIELDS = ['source_id', 'price', 'address', 'property_type', 'city', 'state', 'zip', 'bedrooms'];

const sourceIds = (rows: readonly number[]) => rows.map((row) => `s:${row}`).toSorted();
const fileOf = (rows: readonly number[], cells: (row: number) => Record<string, string>) =>
  listingsCsv(rows.map((row) => ({ source_id: `s:${row}`, address: `${row} Hill Road`, ...cells(row) })));
const FILE = fileOf(ROWS, (row) => ({
  ...(!accepted.includes(row) && { price: 'call us' }),
  ...(row % 3 === 0 && { zip: '3766' }),
}));
const LISTED_FILE = fileOf(listed, (row) => ({
  price: `${(changed.includes(row) ? OLD_PRICE : NEW_PRICE) / 100}`,
}));

/** A database with a seller and their listings. */
interface Market {
  area: ImportArea;
  sellerId: string;
  /** of whoever imports */
  cookie: string;
  start(environment?: Record<string, string>): Promise<TestServer>;
  /** Kills a server once it stands still. */
  kill(server: TestServer): Promise<void>;
  /** Looks into the database, through the running server where it is the embedded one. */
  look<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

async function openMarket(kind: DatabaseKind, area: ImportArea): Promise<Market> {
  const onServer = kind === 'server' ? await cloneTemplate() : null;
  const dataDir = onServer ? mkdtempSync(join(memoryFolder(), 'acre-import-')) : await freshDataDir();
  const look = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
    const db = await openDatabase(
      onServer ? { url: onServer.url, dataDir: null } : { dataDir, mayShare: true },
    );
    return work(db).finally(() => db.close());
  };
  const people = await look(async (db) => {
    await recordProgress(db);
    const seller = await createUser(db, 'agent');
    const admin = await createUser(db, 'admin');
    await giveAuthenticator(db, admin.id);
    const path = join(dataDir, 'listed.csv');
    writeFileSync(path, LISTED_FILE);
    await runListingsImport(db, path, { agentId: seller.agentId });
    const { id } = area === 'admin' ? admin : seller;
    const cookie = await startSession(db, { publicUrl: 'http://localhost', secret: APP_SECRET }, id);
    return { sellerId: seller.agentId ?? '', cookie };
  });
  const started: TestServer[] = [];
  return {
    ...people,
    area,
    look,
    async start(environment = {}) {
      const own: Record<string, string> = onServer ? { DATABASE_URL: onServer.url } : {};
      const choices = { DATA_DIR: dataDir, APP_SECRET, DEMO: 'off', ...own, ...environment };
      const server = await startServer(choices, undefined, true);
      started.push(server);
      return server;
    },
    async kill(server) {
      await killWhenItStands(server);
      // On PostgreSQL no process knows that another one is dead, so for a minute none may take the import up: that minute is over now.
      // The server on an embedded database is the only one, and goes on at once.
      if (!onServer) return;
      await look(async (db) => {
        const past = new Date(Date.now() - 1);
        const aged = await db
          .q()
          .updateTable('listing_imports')
          .set({ leased_until: past })
          .where('lease', 'is not', null)
          .executeTakeFirst();
        expect(aged.numUpdatedRows).toBe(1n);
      });
    },
    async close() {
      await Promise.all(started.map((server) => server.kill()));
      await onServer?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes the database record how far imports are with each transaction that is committed. */
async function recordProgress(db: Database): Promise<void> {
  await db.pool.query(`
    create table recorded_progress (id serial, status text, rows integer);
    create function record_progress() returns trigger language plpgsql as $$
    begin
      insert into recorded_progress (status, rows) values (new.status,
        case new.status when 'undoing' then new.removed + new.restored + new.spared else new.rows_done end);
      return null;
    end $$;
    create trigger record_progress after update of rows_done, removed on listing_imports
      for each row when (new.status in ('running', 'undoing')) execute function record_progress();`);
}

async function progress(db: Database, status: 'running' | 'undoing'): Promise<number[]> {
  const { rows } = await sql<{ rows: number }>`
    select rows from recorded_progress where status = ${status} order by id`.execute(db.q());
  return rows.map(({ rows }) => rows);
}

const storedImport = (db: Database) =>
  db.q().selectFrom('listing_imports').selectAll().executeTakeFirstOrThrow();

/** The listings that are not removed, as ids in the source with prices. */
async function stored(db: Database) {
  const rows = await db
    .q()
    .selectFrom('properties')
    .select(['source_id', 'price_cents'])
    .where('deleted_at', 'is', null)
    .execute();
  const of = (price: number) =>
    rows.filter(({ price_cents }) => price_cents === price).map(({ source_id }) => source_id);
  return { old: of(OLD_PRICE).toSorted(), new: of(NEW_PRICE).toSorted(), count: rows.length };
}

/** What the audit log says was done more than once to a listing or an import. */
async function doneTwice(db: Database) {
  const { rows } = await sql<{ action: string; times: number }>`
    select action, count(*)::integer as times from audit_log where entity in ('property', 'listing_import')
    group by action, entity_id having count(*) > 1`.execute(db.q());
  return rows;
}

/** Imports the file and takes it back, with a server that is killed again and again. */
async function isImportedAndUndone(market: Market): Promise<void> {
  const { area, sellerId, cookie } = market;
  // Killed in its third batch, in the transaction that writes it.
  let server = await market.start(standingStillAt(/"resume_line" =/, 3));
  let browser = new PlainBrowser(server.url, cookie);
  const path = await browser.sendFile(importPaths(area).upload(), { name: 'homes.csv', content: FILE });
  const columns = Object.fromEntries(FIELDS.map((field, at) => [`map.${field}`, `#${at + 1}`]));
  await browser.submit(path, { intent: 'check', ...columns, seller: sellerId, firstStatus: 'Active' });
  await browser.readUntil(path, /Nothing is imported yet/);
  await browser.submit(path, { intent: 'start' });
  await market.kill(server);

  // Killed again in the next batch but one, the last.
  server = await market.start(standingStillAt(/"resume_line" =/, 2));
  await market.kill(server);

  // Killed when every row is there, right before the import is marked as finished.
  server = await market.start(standingStillAt(/"finished_at" =/));
  await market.kill(server);

  // Finished, and killed in the third batch of the undoing.
  server = await market.start(standingStillAt(/"removed" =/, 3));
  browser = new PlainBrowser(server.url, cookie);
  const page = await browser.readUntil(path, /Imported/);
  expect(page).toContain(
    `Added ${added} Changed ${changed.length} Unchanged ${unchanged} Refused ${refused} `,
  );
  expect(page).toContain(`ZIP code: got its leading zeros back ${corrected.length} `);
  const history = await browser.readUntil(importPaths(area).list(), /homes\.csv/);
  expect(history).toContain(
    `${added} added, ${changed.length} changed, ${unchanged} unchanged, ${refused} refused`,
  );
  await market.look(async (db) => {
    const counts = { added, changed: changed.length, unchanged, refused };
    const checked = Object.fromEntries(Object.entries(counts).map(([name, n]) => [`check_${name}`, n]));
    const finished = { rows_done: ROWS.length, lease: null, finished_at: expect.any(Date) };
    expect(await storedImport(db)).toMatchObject({ status: 'done', ...counts, ...checked, ...finished });
    expect(await progress(db, 'running')).toEqual([0, 250, 500, 750, ROWS.length]);
    expect(await stored(db)).toEqual({ old: [], new: sourceIds(accepted), count: accepted.length });
    const { rows: refusals } = await sql`select from listing_import_refusals where step = 'import'`.execute(
      db.q(),
    );
    expect(refusals).toHaveLength(refused);
    expect(await doneTwice(db)).toEqual([]);
  });
  await browser.submit(path, { intent: 'undo' });
  await market.kill(server);

  server = await market.start();
  browser = new PlainBrowser(server.url, cookie);
  expect(await browser.readUntil(path, /The import was undone/)).toContain(
    `${added} properties removed, ${changed.length} as before the import`,
  );
  await market.look(async (db) => {
    const undone = { removed: added, restored: changed.length, spared: 0, lease: null };
    expect(await storedImport(db)).toMatchObject({ status: 'undone', ...undone });
    expect(await progress(db, 'undoing')).toEqual([50, 100, 150, 200, 202, 202]);
    const same = listed.filter((row) => !changed.includes(row));
    expect(await stored(db)).toEqual({ old: sourceIds(changed), new: sourceIds(same), count: listed.length });
    expect(await doneTwice(db)).toEqual([]);
  });
}

// Both at once: each waits for its server most of the time.
describe.concurrent('an import that is started in the browser goes on by itself after each kill of the server, and so does its undoing', () => {
  async function run(kind: DatabaseKind, area: ImportArea): Promise<void> {
    const market = await openMarket(kind, area);
    try {
      await isImportedAndUndone(market);
    } finally {
      await market.close();
    }
  }

  it('a seller’s, on the embedded database', () => run('embedded', 'agent'), 360_000);

  it('an administrator’s, on PostgreSQL', async ({ skip }) => {
    if (!(await serverIsReachable())) skip('no PostgreSQL is reachable');
    await run('server', 'admin');
  }, 360_000);
});
