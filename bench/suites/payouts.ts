import { pendingSorts } from '#features/payout-runs/model.ts';
import {
  allPendingIds,
  failedPayouts,
  manualPayouts,
  notYetPayable,
  pendingPayouts,
} from '#features/payout-runs/reads.ts';
import { exportTransactions } from '#features/transactions/commands/export-transactions.ts';
import { transactionQueryFrom } from '#features/transactions/filters.ts';
import { type FileFormat, fileFormats, transactionSorts } from '#features/transactions/model.ts';
import { preparedFiles, saleDetails, transactionList } from '#features/transactions/reads.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { fillPayouts, PENDING, SALES } from '../payouts/fill.ts';
import { withBenchDatabase } from '../support/bench-database.ts';
import { clockFor } from '../support/clock.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { milliseconds, type Timings, table, timings } from '../support/timings.ts';

const NAME = 'acre_bench_payouts';
const READ_MS = 50;
/** R14, for 100,000 rows */
const FILE_MS = 10_000;
const FILE_ROWS = SALES / 2;
/** Memory that a file may take whatever its length, in MiB. */
const FILE_MIB = 256;
const WARM_UP = 10;
const ROUNDS = Number(process.env.BENCH_READS || 200);
/** Past the end of every list, which means its last page. */
const LAST_PAGE = 1_000_000;

interface Scenario {
  db: Database;
  admin: UserActor;
  sample: { sale: string; seller: string };
}

interface Written {
  ms: number;
  mebibytes: number;
  /** growth of the process's memory at most, in MiB */
  memory: number;
}

/**
 * The administrators' lists of 200,000 sales and 20,000 payouts that can be made, by every order and filter, and 100,000 sales as
 * a file. Promised: each list under 50 ms (p99), a file under 10 s in a memory that does not grow with it.
 */
export async function payoutsSuite(serverUrl: string): Promise<SuiteReport> {
  return withBenchDatabase({ serverUrl, name: NAME }, fillPayouts, async (scenario) => {
    const measured = await measureReads(scenario);
    const files = new Map<FileFormat, Written>();
    for (const format of fileFormats) files.set(format, await measureFile(scenario, format));
    const row = (name: string, { p50, p95, p99, max }: Timings) => [
      name,
      ...[p50, p95, p99, max].map(milliseconds),
    ];
    const slow = [...measured].filter(([, { p99 }]) => p99 > READ_MS);
    const missedFiles = [...files].filter(([, { ms, memory }]) => ms > FILE_MS || memory > FILE_MIB);
    return {
      title: 'Transactions and payouts',
      text: `${table(
        ['ms', 'p50', 'p95', 'p99', 'max'],
        [...measured].map(([name, times]) => row(name, times)),
      )}\n\n${table(
        [`${FILE_ROWS.toLocaleString('en-US')} sales as a file`, 's', 'MiB', 'memory, MiB'],
        [...files].map(([format, { ms, mebibytes, memory }]) => [
          format,
          (ms / 1000).toFixed(1),
          mebibytes.toFixed(1),
          memory.toFixed(0),
        ]),
      )}\n\nPromised: each list below ${READ_MS} ms (p99) with ${SALES.toLocaleString('en-US')} sales and ${PENDING.toLocaleString('en-US')} pending payouts; a file below ${FILE_MS / 1000} s and ${FILE_MIB} MiB.`,
      missed: [
        ...slow.map(([name, { p99 }]) => `${name} takes ${milliseconds(p99)} ms (p99), promised ${READ_MS}`),
        ...missedFiles.map(
          ([format, { ms, memory }]) => `${format} takes ${milliseconds(ms)} ms and ${memory.toFixed(0)} MiB`,
        ),
      ],
    };
  });
}

async function measureReads({ db, admin, sample }: Scenario): Promise<Map<string, Timings>> {
  const ctx = { ...testContext(db, { actor: admin, now: () => new Date() }), payouts: payoutsOf([]) };
  const sales =
    (params: Record<string, string> = {}) =>
    () =>
      transactionList(ctx, transactionQueryFrom(new URLSearchParams(params)));
  const bothWays = <Sort extends string>(sorts: readonly Sort[]) =>
    sorts.flatMap((by) => [false, true].map((descending) => ({ by, descending })));
  const nameOf = (list: string, { by, descending }: { by: string; descending: boolean }) =>
    `${list} by ${by}, ${descending ? 'descending' : 'ascending'}`;
  const searches = ['77 maple', 'larkspur', 'bench seller 77', 'zzz', 'ATP-000777'];
  const narrowed: Record<string, string>[] = [
    { status: 'failed' },
    { status: 'in_escrow', sort: 'price' },
    { method: 'crypto', sort: '-commission' },
    { mode: 'live', sort: 'seller' },
    { seller: sample.seller },
    { seller: sample.seller, sort: 'price' },
    { from: '2026-01-01', to: '2026-01-31', sort: 'fees' },
    { q: 'maple', status: 'pending', method: 'card', mode: 'live', sort: '-price' },
  ];
  const reads: Record<string, () => Promise<unknown>> = {
    transactions: sales(),
    'transactions, last page': sales({ page: String(LAST_PAGE) }),
    ...Object.fromEntries(
      bothWays(transactionSorts).map((sort) => [
        nameOf('transactions', sort),
        sales({ sort: `${sort.descending ? '-' : ''}${sort.by}` }),
      ]),
    ),
    ...Object.fromEntries(searches.map((q) => [`transactions, search for ${q}`, sales({ q })])),
    ...Object.fromEntries(
      narrowed.map((params) => [
        `transactions, ${new URLSearchParams(params)}`.replace(sample.seller, 'one'),
        sales(params),
      ]),
    ),
    'drawer of a sale': () => saleDetails(ctx, { saleId: sample.sale }),
    'prepared files': () => preparedFiles(ctx),
    'pending payouts': () => pendingPayouts(ctx),
    'pending payouts, last page': () => pendingPayouts(ctx, { page: LAST_PAGE }),
    ...Object.fromEntries(
      bothWays(pendingSorts).map((sort) => [
        nameOf('pending payouts', sort),
        () => pendingPayouts(ctx, { sort }),
      ]),
    ),
    'pending payouts, the first thousand': () => allPendingIds(ctx),
    'not yet payable': () => notYetPayable(ctx),
    'failed payouts': () => failedPayouts(ctx),
    'payouts by hand': () => manualPayouts(ctx),
  };
  const timed = await clockFor(db);
  const measured = new Map<string, Timings>();
  for (const [name, read] of Object.entries(reads)) {
    for (let n = 0; n < WARM_UP; n++) await read();
    const durations: number[] = [];
    for (let n = 0; n < ROUNDS; n++) durations.push(await timed(read));
    measured.set(name, timings(durations));
  }
  return measured;
}

async function measureFile({ db, admin }: Scenario, format: FileFormat): Promise<Written> {
  const ctx = testContext(db, { actor: admin, now: () => new Date() });
  const { page: _, ...query } = transactionQueryFrom(new URLSearchParams({ mode: 'live' }));
  const timed = await clockFor(db);
  const before = process.memoryUsage().rss;
  let [bytes, lines, most] = [0, 0, before];
  const ms = await timed(async () => {
    const file = await exportTransactions(ctx, { format, query });
    if (!file.ok) throw new Error(`${SALES / 2} sales are too many for a file`);
    for await (const piece of file.body) {
      bytes += piece.length;
      if (format === 'csv') lines += Buffer.from(piece).toString().split('\r\n').length - 1;
      most = Math.max(most, process.memoryUsage().rss);
    }
  });
  if (format === 'csv' && lines !== FILE_ROWS + 1)
    throw new Error(`${lines} lines instead of ${FILE_ROWS + 1}`);
  return { ms, mebibytes: bytes / 2 ** 20, memory: (most - before) / 2 ** 20 };
}
