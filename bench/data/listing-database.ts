import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { projectRoot } from '#platform/project-root.ts';
import { AGENTS, agentId, type Listing, listing, listingColumns } from './listings.ts';

const BATCH = 4_000;
/** Migrations that determine what the search keeps of a listing. */
const migrations = [
  'platform/db/migrations/0002_marketplace.ts',
  'platform/db/migrations/0007_search.ts',
  'platform/db/migrations/0074_address_words.ts',
  'platform/db/migrations/0076_search_neighborhoods.ts',
  'platform/db/migrations/0078_search_filters.ts',
];

/** Generated listings: a name for its databases, the files that determine them, and the values of each. */
export interface Market {
  name: string;
  /** a change causes a rebuild */
  sources: readonly string[];
  /** columns of `properties` and their types, in the order of a listing's values */
  columns: Readonly<Record<string, string>>;
  listing: (number: number) => Listing;
}

const plainMarket: Market = {
  name: 'bench',
  sources: ['bench/data/listings.ts', 'bench/data/places.ts', 'bench/data/vocabulary.ts'],
  columns: listingColumns,
  listing,
};

/**
 * A PostgreSQL database with `size` deterministic public listings; built once and kept.
 * @param serverUrl any database of the server, with the right to create others
 * @returns its name, such as `acre_bench_<size>_<hash>`
 */
export async function listingDatabase(
  serverUrl: string,
  size: number,
  market = plainMarket,
): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [...migrations, ...market.sources]) hash.update(readFileSync(join(projectRoot, file)));
  const name = `acre_${market.name}_${size}_${hash.digest('hex').slice(0, 10)}`;
  const url = new URL(serverUrl);
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (!rowCount) {
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} template template0`);
    url.pathname = `/${unfinished}`;
    await build(url.href, size, market);
    await client.query(`alter database ${unfinished} rename to ${name}`);
  }
  await client.end();
  return name;
}

/**
 * Opens it.
 * @param serverUrl any database of the server, with the right to create others
 */
export async function openListingDatabase(
  serverUrl: string,
  size: number,
  market = plainMarket,
): Promise<Database> {
  const url = new URL(serverUrl);
  url.pathname = `/${await listingDatabase(serverUrl, size, market)}`;
  // One connection: the suites run one query after the other, and CPU time is read from one session.
  const database = await openDatabase({ url: url.href, dataDir: null, statementTimeout: 0, poolSize: 1 });
  // It may have been built before the latest migrations.
  await migrate(database);
  return database;
}

async function build(url: string, size: number, market: Market): Promise<void> {
  const started = performance.now();
  const database = await openDatabase({ url, dataDir: null, statementTimeout: 0, poolSize: 2 });
  await migrate(database);
  const { pool } = database;
  await pool.query(
    `insert into agents (id, name, email)
    select id, 'Bench seller', 'seller-' || id || '@acre.test' from unnest($1::uuid[]) id`,
    [Array.from({ length: AGENTS }, (_, number) => agentId(number))],
  );
  // The statements below do for all listings at once what the triggers do for each.
  await pool.query('alter table properties disable trigger user');
  await pool.query('alter table search_entries disable trigger user');
  const later = await dropIndexes(pool);
  let next = 0;
  const loader = async () => {
    while (next < size) {
      const from = next;
      next += BATCH;
      await insertListings(pool, market, from, Math.min(next, size));
      if (next % (BATCH * 50) === 0)
        process.stderr.write(`  building ${size} listings: ${(100 * next) / size} %\n`);
    }
  };
  await Promise.all([loader(), loader()]);
  for (const statement of later) await pool.query(statement);
  await pool.query(`insert into search_cells select c.level, c.y, c.x, c.type_id, sum(c.entries), sum(c.latitude_sum),
    sum(c.longitude_sum) from search_entries e, search_cells_of(e, 1) c group by 1, 2, 3, 4`);
  await pool.query(`insert into search_words select word, 0 from ts_stat('select words from search_entries')
    where word !~ '^=(?![au]:)'`);
  await pool.query(`insert into search_places select word, ndoc from ts_stat('select words from search_entries')
    where word ~ '^=[czd]:'`);
  await pool.query('alter table properties enable trigger user');
  await pool.query('alter table search_entries enable trigger user');
  await pool.query('vacuum (analyze)');
  await database.close();
  process.stderr.write(`  built ${size} listings in ${Math.round((performance.now() - started) / 1000)} s\n`);
}

/** Drops the search indexes, which are built much faster over full tables; returns the statements to recreate them. */
async function dropIndexes(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ indexdef: string; indexname: string }>(
    `select indexdef, indexname from pg_indexes where tablename like 'search\\_%' and indexname not like '%pkey'`,
  );
  for (const row of rows) await pool.query(`drop index ${row.indexname}`);
  return rows.map((row) => row.indexdef);
}

async function insertListings(pool: pg.Pool, market: Market, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, offset) => market.listing(from + offset));
  const names = Object.keys(market.columns);
  const arrays = Object.values(market.columns).map((type, index) => `$${index + 1}::${type}[]`);
  await pool.query(
    `with listed as (insert into properties (${names.join()}, status, listed_at)
       select *, 'Active', created_at from unnest(${arrays.join()}) given (${names.join()}) returning properties.*)
     insert into search_entries select (e).* from (select search_entry(listed::properties) e from listed offset 0) made`,
    names.map((_, column) => rows.map((row) => row[column])),
  );
}
