import { checkLedger } from '#features/ledger/reads.ts';
import type { FileStore } from '#gateways/files/port.ts';
import type { Payments } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import type { BackupMethod } from './backup.ts';
import { compareStates, countEntries, type LastState, missingEntries, readLastState } from './compare.ts';
import { checkFiles } from './named-files.ts';
import { type DatabasePrint, differencesOf, factsHash, printDatabase, readProviderFacts } from './prints.ts';
import { askingOnly, replayProviders, unknownMoney } from './providers.ts';
import { readOnlyDatabase } from './read-only-database.ts';

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
  /** called when the backup is done, before the moment at which the original counts as lost */
  afterBackup?: () => Promise<void>;
  /** called when the copy is restored, before it is compared */
  afterRestore?: (copy: Database) => Promise<void>;
}

/** What a rehearsal found and measured. Times in seconds. */
export interface RehearsalReport {
  /** why the restored copy is not what was backed up, or what is wrong with it; empty when it can be relied on */
  faults: string[];
  /** facts about money from between the backup and the loss that the replay did not bring back */
  losses: string[];
  ledgerHash: string;
  /** hash of what the original knew from the providers about the sales in the backup, and of the copy's part of that */
  factsHash: { original: string; copy: string };
  counts: {
    tables: number;
    rows: number;
    entries: number;
    sales: number;
    asked: number;
    files: number;
    /** entries from between the backup and the loss, and entries that the replay posted */
    newEntries: number;
    recovered: number;
    /** sales of which the copy heard what the original has not heard until now */
    ahead: number;
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
    /** from the moment that the backup shows to its end, when the original counts as lost */
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
    const last = await readLastState(original);
    lap();
    const copy = await method.restore();
    try {
      const restore = lap();
      await migrate(copy);
      const migration = lap();
      await options.afterRestore?.(copy);
      const payments = askingOnly(await options.openPayments(original));
      const ctx = { ...options.contextOf(copy), payments };
      const proof = await prove(ctx, original, { snapshot, last, files: options.files });
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
  { snapshot, last, files }: { snapshot: DatabasePrint; last: LastState; files: FileStore },
) {
  const lap = startStopwatch();
  const faults = differencesOf(snapshot, await printDatabase(copy.db));
  const before = countEntries(await readProviderFacts(copy.db));
  const firstCheck = lap();
  const { asked, unanswered } = await replayProviders(copy);
  faults.push(...unanswered.map((sale) => `no answer: the provider of sale ${sale} says nothing about it`));
  const replay = lap();
  const replayed = await readLastState(copy.db);
  const comparison = compareStates(last, replayed, await readProviderFacts(original));
  const losses = [
    ...(await unknownMoney(copy.payments, comparison.unknownCheckouts)),
    ...missingEntries(comparison),
  ];
  const findings = await checkLedger(copy);
  faults.push(...findings.map(({ check, subject, detail }) => `books: ${check}: ${subject}: ${detail}`));
  const { named, missing } = await checkFiles(copy.db, files);
  faults.push(...missing.map((key) => `missing file: ${key}`));
  return {
    faults,
    losses,
    factsHash: { original: factsHash(comparison.lost.original), copy: factsHash(comparison.lost.copy) },
    counts: {
      asked,
      files: named,
      newEntries: countEntries(last.facts) - before,
      recovered: countEntries(replayed.facts) - before,
      ahead: comparison.ahead.size,
    },
    seconds: { replay, check: firstCheck + lap() },
  };
}

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
