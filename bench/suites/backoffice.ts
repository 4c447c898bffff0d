import pg from 'pg';
import { sumUp } from '#features/overview/commands/sum-up.ts';
import { countTotals } from '#features/totals/commands/count-totals.ts';
import type { UserActor } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { countQueries } from '#tests/support/database/query-count.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { amounts, fillBackoffice } from '../backoffice/fill.ts';
import { type BackofficeScenario, type Read, reads } from '../backoffice/reads.ts';
import { listingDatabase } from '../data/listing-database.ts';
import { clockFor, isCpuClock } from '../support/clock.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { milliseconds, type Timings, table, timings } from '../support/timings.ts';

const NAME = 'acre_bench_backoffice';
const READ_MS = 50;
const LAST_PAGE_MS = 300;
/** A page asks for its rows, their number and what they belong to; beyond this it asks for each row. */
const MOST_STATEMENTS = 15;
const SHARE = Number(process.env.BENCH_SHARE || 1);
const ROUNDS = Number(process.env.BENCH_READS || 200);
const WARM_UP = 10;

interface Measured {
  times: Timings;
  statements: number;
}

/**
 * The reads of the administrators' lists, drawer and dashboard at 1,000,000 listings, 100,000 sellers, 200,000 sales and 500,000
 * inquiries. Promised: each under 50 ms (p99), last pages under 300 ms, none with a statement for each row.
 */
export async function backofficeSuite(serverUrl: string): Promise<SuiteReport> {
  const size = amounts(SHARE);
  return withCopy(serverUrl, await listingDatabase(serverUrl, size.listings), async (url) => {
    const setupDb = await openDatabase({ url, dataDir: null, statementTimeout: 0, poolSize: 2 });
    await migrate(setupDb);
    const admin = await createUser(setupDb, 'admin');
    await fillBackoffice(setupDb.pool, size);
    // As the jobs of a server do every few minutes.
    const ctx = testContext(setupDb, { actor: { kind: 'system', name: 'bench' }, now: () => new Date() });
    await countTotals(ctx);
    await sumUp(ctx);
    await setupDb.close();
    // The dashboard asks for its lists at once, as it does on a server; CPU time is read from one session.
    const poolSize = isCpuClock ? 1 : 10;
    const db = await openDatabase({ url, dataDir: null, statementTimeout: 0, poolSize });
    try {
      return report(size, await measure(db, admin));
    } finally {
      await db.close();
    }
  });
}

/** A copy of the database with the listings alone, dropped afterwards. */
async function withCopy<Result>(
  serverUrl: string,
  template: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`drop database if exists ${NAME} with (force)`);
  await client.query(`create database ${NAME} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${NAME}`;
  try {
    return await work(url.href);
  } finally {
    await client.query(`drop database if exists ${NAME} with (force)`);
    await client.end();
  }
}

async function measure(db: Database, actor: UserActor): Promise<Map<Read, Measured>> {
  const ctx = testContext(db, { actor, now: () => new Date() });
  const row = await db
    .q()
    .selectFrom('properties')
    .select('id')
    .where('status', '=', 'Sold')
    .limit(1)
    .executeTakeFirstOrThrow();
  const scenario: BackofficeScenario = { propertyId: row.id };
  const timed = await clockFor(db);
  const measured = new Map<Read, Measured>();
  for (const one of reads) {
    const statements = await countQueries(db, (counted) => one.read({ ...ctx, db: counted }, scenario));
    for (let n = 0; n < WARM_UP; n++) await one.read(ctx, scenario);
    const durations: number[] = [];
    for (let n = 0; n < ROUNDS; n++) durations.push(await timed(() => one.read(ctx, scenario)));
    measured.set(one, { times: timings(durations), statements });
  }
  return measured;
}

function report(size: ReturnType<typeof amounts>, measured: ReadonlyMap<Read, Measured>): SuiteReport {
  const promised = ({ last }: Read) => (last ? LAST_PAGE_MS : READ_MS);
  const missed = [...measured].flatMap(([one, { times, statements }]) => [
    ...(times.p99 > promised(one)
      ? [`${one.name} takes ${milliseconds(times.p99)} ms (p99), promised ${promised(one)}`]
      : []),
    ...(statements > (one.most ?? MOST_STATEMENTS)
      ? [`${one.name} runs ${statements} statements, promised at most ${one.most ?? MOST_STATEMENTS}`]
      : []),
  ]);
  const rows = [...measured].map(
    ([
      { name },
      {
        times: { p50, p95, p99, max },
        statements,
      },
    ]) => [name, ...[p50, p95, p99, max].map(milliseconds), String(statements)],
  );
  const of = Object.entries(size).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  return {
    title: 'The back office',
    text: `${table(['ms', 'p50', 'p95', 'p99', 'max', 'statements'], rows)}\n\nWith ${of.join(', ')}. Promised: below ${READ_MS} ms (p99), last pages below ${LAST_PAGE_MS} ms, at most ${MOST_STATEMENTS} statements each, more for pages with several lists.`,
    missed,
  };
}
