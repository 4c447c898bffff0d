import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { crashChainWork } from '#tests/promises/crash-points/crash-chain.ts';
import { crashEverywhere } from '#tests/promises/crash-points/crash-everywhere.ts';
import { everyOrderInMemory } from '#tests/promises/message-order/every-order.ts';
import { longWalks } from '#tests/promises/message-order/long-walks.ts';
import { randomOrdersInMemory } from '#tests/promises/message-order/random-orders.ts';
import { replayRandomOrders } from '#tests/promises/message-order/replay.ts';
import { longSequences } from '#tests/promises/message-order/sequences.ts';
import { walks } from '#tests/promises/message-order/walks.ts';
import { checkRandomHistories } from '#tests/promises/money-back/random-histories.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { databaseWithPreparedStatements } from '#tests/support/database/prepared-statements.ts';
import { runRandomBookings } from '../promises/books/operations.ts';
import { runRandomCommands } from '../promises/books/random-commands.ts';
import { operationNames, operationOf } from '../promises/crash-points/operations.ts';
import { randomOrders } from '../promises/message-order/delivery.ts';
import { payEveryone } from '../promises/payouts/payouts.ts';
import { checkDays } from '../promises/reconciliation/check-days.ts';
import type { Report, RunOptions } from '../promises/report.ts';
import { doubleSale } from './double-sale.ts';
import { kill } from './kill.ts';
import { type Figures, rangeOf, type Suite, type TrialRange } from './suite.ts';

const databases = ['PostgreSQL', 'embedded'] as const;
type Kind = (typeof databases)[number];
/** Every operation on each database. */
const crashes = databases.flatMap((kind) => operationNames.map((name) => ({ kind, name })));

/** Every walk, with the provider's answers of the moment and with old ones. */
const everyWalk = walks.flatMap((walk) =>
  (['current', 'old'] as const).map((answers) => ({ walk, answers })),
);

/** The suites by name: the same code as the samples in `npm test`. */
export const suites: Record<string, Suite> = {
  'double-sale': {
    promise: 'R1',
    of: 'trials of 50 buyers',
    total: 10_000,
    step: 250,
    slices: 10,
    run: random(doubleSale),
  },
  'money-back': {
    promise: 'R2',
    of: 'histories',
    total: 100_000,
    step: 250,
    slices: 20,
    run: random((options) => onOwnDatabase((db) => checkRandomHistories(db, options))),
  },
  'every-order': {
    promise: 'R3',
    of: 'walks',
    total: everyWalk.length,
    step: 1,
    slices: 1,
    run: everyOrder,
  },
  'replayed-order': {
    promise: 'R3',
    of: 'orders of those walks, replayed',
    total: 2_000,
    step: 100,
    slices: 1,
    run: random((options) =>
      onOwnDatabase((db) => replayRandomOrders(db, { ...options, walks, deliveries: 2 })),
    ),
  },
  'long-order': {
    promise: 'R3',
    of: 'random orders of long walks',
    total: 1_000_000,
    step: 10_000,
    slices: 1,
    run: random((options) => randomOrdersInMemory(options)),
  },
  'replayed-long-order': {
    promise: 'R3',
    of: 'orders of those walks, replayed',
    total: 2_000,
    step: 100,
    slices: 1,
    run: random((options) =>
      onOwnDatabase((db) => replayRandomOrders(db, { ...options, walks: longWalks, deliveries: 5 })),
    ),
  },
  // With the sandbox's own messages, and the jobs that would send a refund again.
  'message-order': {
    promise: 'R3',
    of: 'random orders of long sequences',
    total: 2_000,
    step: 100,
    slices: 1,
    run: random(messageOrder),
  },
  // The million of R4: half on the way from the click to escrow and back, half with whatever a provider may answer.
  market: {
    promise: 'R4',
    of: 'operations',
    total: 500_000,
    step: 5_000,
    slices: 10,
    run: random((options) => onOwnDatabase((db) => runRandomCommands(db, options))),
  },
  books: {
    promise: 'R4',
    of: 'operations',
    total: 500_000,
    step: 5_000,
    slices: 10,
    run: random((options) => onOwnDatabase((db) => runRandomBookings(db, options))),
  },
  'crash-points': {
    promise: 'R5',
    of: 'operations',
    total: crashes.length,
    step: 1,
    slices: 1,
    run: crashPoints,
  },
  'chain-crashes': {
    promise: 'R5',
    of: 'databases on which the work of the chain is killed',
    total: databases.length,
    step: 1,
    slices: 1,
    run: chainCrashes,
  },
  // 1,000 sellers in all, in markets of five.
  payouts: {
    promise: 'R5',
    of: 'payouts',
    total: 100_000,
    step: 500,
    slices: 20,
    run: ({ from, to }, seed) => onOwnDatabase((db) => payEveryone(db, { size: to - from, seed })),
  },
  reconciliation: {
    promise: 'R7',
    of: 'days',
    total: 1_000_000,
    step: 10_000,
    slices: 4,
    run: random(async (options) => checkDays(options)),
  },
  kill: {
    promise: 'R5',
    of: 'kills of a process',
    total: 200,
    step: 20,
    slices: 1,
    run: random(kill),
  },
};

/** A suite whose trials depend on the seed alone. */
function random(run: (options: RunOptions) => Promise<Report>): Suite['run'] {
  return async ({ from, to }, seed) => {
    const { trials, findings } = await run({ size: to - from, seed });
    if (findings.length === 0 && trials !== to - from)
      throw new Error(`The suite ended after ${trials} of ${to - from} trials`);
    return { findings };
  };
}

async function everyOrder({ from, to }: TrialRange): Promise<Figures> {
  const figures = { findings: [] as string[], counts: { orders: 0 } };
  for (const { walk, answers } of everyWalk.slice(from, to)) {
    const { orders, findings } = await everyOrderInMemory(walk, answers);
    figures.findings.push(...findings);
    figures.counts.orders += orders;
  }
  return figures;
}

async function crashPoints({ from, to }: TrialRange): Promise<Figures> {
  const figures = { findings: [] as string[], counts: { 'crash points': 0 } };
  for (const { kind, name } of crashes.slice(from, to)) {
    const { trials, findings } = await onOwnDatabase((db) => crashEverywhere(db, operationOf(name)), kind);
    figures.findings.push(...findings.map((finding) => `${kind}: ${finding}`));
    figures.counts['crash points'] += trials;
  }
  return figures;
}

async function chainCrashes({ from, to }: TrialRange): Promise<Figures> {
  const figures = { findings: [] as string[], counts: { 'crash points': 0 } };
  for (const kind of databases.slice(from, to)) {
    const { trials, findings } = await onOwnDatabase((db) => crashChainWork(db), kind);
    figures.findings.push(...findings.map((finding) => `${kind}: ${finding}`));
    figures.counts['crash points'] += trials;
  }
  return figures;
}

/** For what goes on at once in a market. */
const CONNECTIONS = 20;

async function onOwnDatabase<T>(work: (db: Database) => Promise<T>, kind: Kind = 'PostgreSQL'): Promise<T> {
  const own = kind === 'PostgreSQL' ? await createEmptyDatabase() : null;
  const db = await openDatabase({ url: own?.url, dataDir: null, poolSize: CONNECTIONS });
  try {
    await migrate(db);
    return await work(own ? databaseWithPreparedStatements(db) : db);
  } finally {
    await db.close();
    await own?.drop();
  }
}

/** Random orders of every long sequence in turn; all orders of the short ones are tried by `npm test`. */
function messageOrder({ size, seed }: RunOptions): Promise<Report> {
  return onOwnDatabase(async (db) => {
    const total: Report = { trials: 0, findings: [] };
    for (const [at, sequence] of longSequences.entries()) {
      const share = rangeOf({ number: at + 1, of: longSequences.length }, size);
      const { trials, findings } = await randomOrders(db, sequence, { size: share.to - share.from, seed });
      total.trials += trials;
      total.findings.push(...findings);
    }
    return total;
  });
}
