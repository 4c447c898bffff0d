import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { chainAudit } from '#features/audit/commands/chain-audit.ts';
import { checkAudit } from '#features/audit/reads.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { temporaryFolder } from '../support/app-server.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { table, timingRow, timings } from '../support/timings.ts';

const ROWS = Number(process.env.BENCH_AUDIT_ROWS ?? 1_000_000);
/** The embedded database is for small installations. */
const ROWS_EMBEDDED = ROWS / 10;
const WRITES = 1_000;

interface Measured {
  rows: number;
  chainSeconds: number;
  checkSeconds: number;
  /** growth of the heap while checking, in MB */
  heapMb: number;
  findings: number;
}

/**
 * Chains and checks a log of a million rows on PostgreSQL and of a tenth of that on the embedded database, and times writers
 * before and while rows are chained (R17).
 */
export async function auditSuite(serverUrl: string): Promise<SuiteReport> {
  const server = await onServer(serverUrl, async (db) => {
    const alone = await timeWriters(db, WRITES);
    await fill(db, ROWS);
    const chaining = chainAudit(systemContext(db));
    const beside = await timeWriters(db, WRITES);
    const began = performance.now();
    await chaining;
    if (performance.now() - began < 1)
      throw new Error('The chain was done before the writers: give more rows');
    return { alone, beside };
  });
  const measured: [string, Measured][] = [
    ['PostgreSQL', await onServer(serverUrl, (db) => measure(db, ROWS))],
    ['embedded', await onEmbedded((db) => measure(db, ROWS_EMBEDDED))],
  ];
  const perSecond = (rows: number, seconds: number) => Math.round(rows / seconds).toString();
  return {
    title: 'Audit chain',
    text: `${table(
      ['', 'rows', 'chained a second', 'checked a second', 'heap while checking, MB'],
      measured.map(([name, { rows, chainSeconds, checkSeconds, heapMb }]) => [
        name,
        String(rows),
        perSecond(rows, chainSeconds),
        perSecond(rows, checkSeconds),
        heapMb.toFixed(0),
      ]),
    )}\n\n${table(
      ['milliseconds to write and commit a row', 'n', 'p50', 'p95', 'p99', 'max'],
      [
        timingRow('alone', timings(server.alone)),
        timingRow('while rows are chained', timings(server.beside)),
      ],
    )}`,
    missed: measured
      .filter(([, { findings }]) => findings > 0)
      .map(([name, { findings }]) => `${name}: ${findings} findings in a log that nobody touched`),
  };
}

const systemContext = (db: Database): Ctx => ({
  ...testContext(db, { now: () => new Date() }),
  actor: { kind: 'system', name: 'bench' },
});

async function fill(db: Database, rows: number): Promise<void> {
  await sql`insert into audit_log (actor_role, action, entity, entity_id, before, after, request_id, ip, at)
    select 'system:bench', 'policy.publish', 'policy', gen_random_uuid()::text,
      jsonb_build_object('payment', 'pending', 'escrow', 'pending', 'payout', null),
      jsonb_build_object('payment', 'completed', 'escrow', 'in_escrow', 'payout', null), 'bench', '127.0.0.1', now()
    from generate_series(1, ${rows}::int)`.execute(db.q());
  await sql`vacuum (analyze) audit_log`.execute(db.q());
}

async function measure(db: Database, rows: number): Promise<Measured> {
  const ctx = systemContext(db);
  await fill(db, rows);
  const chainSeconds = await seconds(() => chainAudit(ctx));
  const heapBefore = process.memoryUsage().heapUsed;
  let heap = heapBefore;
  const watch = setInterval(() => {
    heap = Math.max(heap, process.memoryUsage().heapUsed);
  }, 50);
  let findings = 0;
  const checkSeconds = await seconds(async () => {
    findings = (await checkAudit(ctx)).total;
  });
  clearInterval(watch);
  return { rows, chainSeconds, checkSeconds, heapMb: (heap - heapBefore) / 1e6, findings };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

async function timeWriters(db: Database, count: number): Promise<number[]> {
  const ctx = systemContext(db);
  const durations: number[] = [];
  for (let n = 0; n < count; n++)
    durations.push(
      1_000 *
        (await seconds(() =>
          db.tx(() =>
            audit(ctx, { action: 'policy.publish', entity: 'policy', entityId: String(n), after: { n } }),
          ),
        )),
    );
  return durations;
}

async function onServer<Result>(serverUrl: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const name = `acre_bench_audit_${randomBytes(4).toString('hex')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const db = await openDatabase({ url: url.href, dataDir: null, statementTimeout: 0 });
  try {
    await migrate(db);
    return await work(db);
  } finally {
    await db.close();
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  }
}

async function onEmbedded<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const folder = temporaryFolder();
  const db = await openDatabase({ dataDir: folder.path });
  try {
    await migrate(db);
    return await work(db);
  } finally {
    await db.close();
    folder.remove();
  }
}
