import { checkLedger } from '#features/ledger/reads.ts';
import type { FileStore } from '#gateways/files/port.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import type { BackupMethod } from './backup.ts';
import { type Comparison, compareFacts, countEntries, describeDifference } from './compare.ts';
import { checkFiles } from './named-files.ts';
import { type DatabasePrint, differencesOf, factsHash, printDatabase, readProviderFacts } from './prints.ts';
import { askingOnly, replayProviders, unknownMoney } from './providers.ts';
import { readOnlyDatabase } from './read-only-database.ts';

/** Pause between two comparisons with an original that goes on working. */
const PAUSE_MS = 2_000;

export interface RehearsalOptions {
  /** the live database; it is only read */
  original: Database;
  method: BackupMethod;
  /** the providers, which may be asked through the original's connection given to this function */
  openPayments: (original: Database) => Promise<Payments>;
  /** the backup of the files */
  files: FileStore;
  /** the context of the system in the restored copy */
  contextOf: (copy: Database) => Ctx;
  /** called between the backup and its restore */
  afterBackup?: () => Promise<void>;
  /** called when the copy is restored, before it is compared */
  afterRestore?: (copy: Database) => Promise<void>;
  /** pause between two comparisons in milliseconds */
  pauseMs?: number;
}

/** What a rehearsal found and measured. Times in seconds. */
export interface RehearsalReport {
  /** why the restored copy is not what was backed up, or what is wrong with it; empty when it can be relied on */
  faults: string[];
  /** facts about money younger than the backup that the providers know and the copy has not; empty when none was lost */
  losses: string[];
  ledgerHash: string;
  /** hash of what the providers know of the sales in the backup: in the original, and in the copy after the replay */
  factsHash: { original: string; copy: string };
  counts: {
    tables: number;
    rows: number;
    entries: number;
    sales: number;
    asked: number;
    files: number;
    /** ledger entries that the original wrote after the backup, of which the copy has */
    newEntries: number;
    recovered: number;
    backupBytes: number;
  };
  seconds: {
    backup: number;
    /** for how long writers of the original had to wait */
    blocked: number;
    restore: number;
    migrate: number;
    replay: number;
    check: number;
    /** from the moment that the backup shows to its end: what a loss right then would cost, before the replay */
    rpo: number;
    /** restore, migration, replay and checks */
    rto: number;
  };
}

/**
 * Rehearses the restore of a backup (R16): backs up the live database, restores that elsewhere, migrates it, asks the payment
 * providers what happened since, and compares. The original is only read, no job runs on the copy, and no provider is told
 * anything, so no mail is sent and no money moves.
 */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalReport> {
  const { method } = options;
  const original = readOnlyDatabase(options.original);
  try {
    const lap = startStopwatch();
    const { facts: snapshot, bytes, blockedSeconds } = await method.take(original, printDatabase);
    const backup = lap();
    await options.afterBackup?.();
    lap();
    const copy = await method.restore();
    try {
      const restore = lap();
      await migrate(copy);
      const migration = lap();
      await options.afterRestore?.(copy);
      const payments = askingOnly(await options.openPayments(original));
      const proof = await prove({ ...options.contextOf(copy), payments }, original, snapshot, options);
      const { replay, check } = proof.seconds;
      return {
        ...proof,
        ledgerHash: snapshot.ledger.sha256,
        counts: { ...proof.counts, ...countsOf(snapshot), backupBytes: bytes },
        seconds: {
          backup,
          blocked: blockedSeconds,
          restore,
          migrate: migration,
          replay,
          check,
          rpo: backup,
          rto: restore + migration + replay + check,
        },
      };
    } finally {
      await copy.close();
    }
  } finally {
    await method.remove();
  }
}

/** Proves a restored copy: that it is the snapshot, that its books balance, and that a replay brings back what came later. */
async function prove(
  copy: CtxWith<'payments'>,
  original: Database,
  snapshot: DatabasePrint,
  { files, pauseMs = PAUSE_MS }: RehearsalOptions,
) {
  const lap = startStopwatch();
  const faults = differencesOf(snapshot, await printDatabase(copy.db));
  const before = countEntries(await readProviderFacts(copy.db));
  const firstCheck = lap();
  const { asked, unanswered } = await replayProviders(copy);
  faults.push(...unanswered.map((sale) => `no answer: the provider of sale ${sale} says nothing about it`));
  const comparison = await compareFacts(copy, original, pauseMs);
  const losses = await lossesOf(copy, comparison);
  const replay = lap();
  const findings = await checkLedger(copy);
  faults.push(...findings.map(({ check, subject, detail }) => `books: ${check}: ${subject}: ${detail}`));
  const { named, missing } = await checkFiles(copy.db, files);
  faults.push(...missing.map((key) => `missing file: ${key}`));
  return {
    faults,
    losses,
    factsHash: { original: factsHash(comparison.original), copy: factsHash(comparison.copy) },
    counts: {
      asked,
      files: named,
      newEntries: comparison.originalEntries - before,
      recovered: countEntries(await readProviderFacts(copy.db)) - before,
    },
    seconds: { replay, check: firstCheck + lap() },
  };
}

const lossesOf = async ({ payments }: CtxWith<'payments'>, comparison: Comparison): Promise<string[]> => [
  ...(await unknownMoney(payments, comparison.lost)),
  ...comparison.differing.map((sale) => describeDifference(comparison, sale)),
];

const countsOf = ({ tables, ledger }: DatabasePrint) => ({
  tables: tables.size,
  rows: [...tables.values()].reduce((sum, { rows }) => sum + rows, 0),
  entries: ledger.entries,
  sales: tables.get('property_sales')?.rows ?? 0,
});

/** @returns a function that gives the seconds since its last call */
function startStopwatch(): () => number {
  let since = performance.now();
  return () => {
    const seconds = (performance.now() - since) / 1000;
    since = performance.now();
    return seconds;
  };
}
