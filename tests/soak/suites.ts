import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { crashEverywhere } from '#tests/promises/crash-points/crash-everywhere.ts';
import { everyOrderInMemory } from '#tests/promises/message-order/every-order.ts';
import { replayRandomOrders } from '#tests/promises/message-order/replay.ts';
import { longSequences, sequences } from '#tests/promises/message-order/sequences.ts';
import { walks } from '#tests/promises/message-order/walks.ts';
import { checkRandomHistories } from '#tests/promises/money-back/random-histories.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { runRandomBookings } from '../promises/books/operations.ts';
import { operationNames, operationOf } from '../promises/crash-points/operations.ts';
import { everyOrder, randomOrders } from '../promises/message-order/delivery.ts';
import { checkDays } from '../promises/reconciliation/check-days.ts';
import type { Report, RunOptions } from '../promises/report.ts';
import { doubleSale } from './double-sale.ts';
import { kill } from './kill.ts';

/** Histories per database, since one transaction contains them all. */
const CHUNK = 500;

/** Runs one suite: the same code as the samples in `npm test`, on its own PostgreSQL database. */
export async function run(name: string, size: RunOptions): Promise<Report> {
  switch (name) {
    case 'double-sale':
      return doubleSale(size);
    case 'kill':
      return kill(size);
    case 'books':
      return onOwnDatabase((db) => runRandomBookings(db, size));
    case 'money-back':
      return inChunks(size, (db, chunk) => checkRandomHistories(db, chunk));
    case 'message-order':
      return messageOrder(size);
    case 'crash-points':
      return runAll(operationNames, (operation, db) => crashEverywhere(db, operationOf(operation)));
    case 'reconciliation':
      return checkDays(size);
    default:
      throw new Error(`There is no suite ${name}`);
  }
}

async function onOwnDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const own = await createEmptyDatabase();
  const db = await openDatabase({ url: own.url, dataDir: null });
  try {
    await migrate(db);
    return await work(db);
  } finally {
    await db.close();
    await own.drop();
  }
}

/** Replayed random orders of the walks that are tried exhaustively in memory. */
const REPLAYS = 2_000;

/**
 * Every order of the walks in memory, and random ones of them replayed. Of the size, half goes to orders of the fixed sequences
 * with the sandbox, half to random orders of the longer ones.
 */
async function messageOrder({ size, seed, until }: RunOptions): Promise<Report> {
  let inMemory: Report = { trials: 0, findings: [] };
  for (const walk of walks)
    for (const answers of ['current', 'old'] as const) {
      const { orders, findings } = await everyOrderInMemory(walk, answers);
      inMemory = merge(inMemory, { trials: orders, findings });
    }
  const replayed = await onOwnDatabase((db) =>
    replayRandomOrders(db, { size: Math.min(size, REPLAYS), seed, until }),
  );
  const shareOf = (list: readonly unknown[]) => ({ size: Math.ceil(size / 2 / list.length), seed, until });
  const fixed = await runAll(sequences, (sequence, db) => everyOrder(db, sequence, shareOf(sequences)));
  const random = await runAll(longSequences, (sequence, db) =>
    randomOrders(db, sequence, shareOf(longSequences)),
  );
  return [replayed, fixed, random].reduce(merge, inMemory);
}

async function inChunks(
  { size, seed, until }: RunOptions,
  work: (db: Database, chunk: RunOptions) => Promise<Report>,
): Promise<Report> {
  let total: Report = { trials: 0, findings: [] };
  for (let chunk = 0; total.trials < size && total.findings.length === 0; chunk += 1) {
    if (until !== undefined && Date.now() >= until) break;
    const part = { size: Math.min(CHUNK, size - total.trials), seed: seed + chunk, until };
    total = merge(total, await onOwnDatabase((db) => work(db, part)));
  }
  return total;
}

/** Runs each in turn on one database, which each leaves unchanged, and adds up the reports. */
const runAll = <T>(list: readonly T[], work: (one: T, db: Database) => Promise<Report>): Promise<Report> =>
  onOwnDatabase(async (db) => {
    let total: Report = { trials: 0, findings: [] };
    for (const one of list) total = merge(total, await work(one, db));
    return total;
  });

const merge = (one: Report, other: Report): Report => ({
  trials: one.trials + other.trials,
  findings: [...one.findings, ...other.findings],
});
