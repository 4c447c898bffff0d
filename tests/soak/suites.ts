import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { emptyDatabase } from '#tests/support/own-database.ts';
import { randomBooks } from '../promises/books/operations.ts';
import { crashEverywhere } from '../promises/crash-points/crashes.ts';
import { operationNames, operationOf } from '../promises/crash-points/operations.ts';
import { everyOrder, randomOrders } from '../promises/message-order/delivery.ts';
import { longWalks, walks } from '../promises/message-order/walks.ts';
import { moneyBack } from '../promises/money-back/histories.ts';
import type { Report, Size } from '../promises/report.ts';
import { doubleSale } from './double-sale.ts';
import { kill } from './kill.ts';

/** Histories after which a database is made anew: one transaction holds them all. */
const CHUNK = 500;

/** Runs one suite; the same code as the samples of `npm test`, on a PostgreSQL database of its own. */
export async function run(name: string, size: Size): Promise<Report> {
  switch (name) {
    case 'double-sale':
      return doubleSale(size);
    case 'kill':
      return kill(size);
    case 'books':
      return onOwnDatabase((db) => randomBooks(db, size));
    case 'money-back':
      return inChunks(size, (db, chunk) => moneyBack(db, chunk));
    case 'message-order':
      return messageOrder(size);
    case 'crash-points':
      return sum(operationNames, (operation, db) => crashEverywhere(db, operationOf(operation)));
    default:
      throw new Error(`There is no suite ${name}`);
  }
}

async function onOwnDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const own = await emptyDatabase();
  const db = await openDatabase({ url: own.url, dataDir: null });
  try {
    await migrate(db);
    return await work(db);
  } finally {
    await db.close();
    await own.drop();
  }
}

/** Half of it orders of the fixed walks, every one of them where the share goes that far, half random ones of longer walks. */
async function messageOrder({ size, seed, until }: Size): Promise<Report> {
  const shareOf = (list: readonly unknown[]) => ({ size: Math.ceil(size / 2 / list.length), seed, until });
  const fixed = await sum(walks, (walk, db) => everyOrder(db, walk, shareOf(walks)));
  const random = await sum(longWalks, (walk, db) => randomOrders(db, walk, shareOf(longWalks)));
  return add(fixed, random);
}

async function inChunks(
  { size, seed, until }: Size,
  work: (db: Database, chunk: Size) => Promise<Report>,
): Promise<Report> {
  let total: Report = { trials: 0, findings: [] };
  for (let chunk = 0; total.trials < size && total.findings.length === 0; chunk += 1) {
    if (until !== undefined && Date.now() >= until) break;
    const part = { size: Math.min(CHUNK, size - total.trials), seed: seed + chunk, until };
    total = add(total, await onOwnDatabase((db) => work(db, part)));
  }
  return total;
}

/** Each in turn on one database, to which each leaves nothing. */
const sum = <T>(list: readonly T[], work: (one: T, db: Database) => Promise<Report>): Promise<Report> =>
  onOwnDatabase(async (db) => {
    let total: Report = { trials: 0, findings: [] };
    for (const one of list) total = add(total, await work(one, db));
    return total;
  });

const add = (one: Report, other: Report): Report => ({
  trials: one.trials + other.trials,
  findings: [...one.findings, ...other.findings],
});
