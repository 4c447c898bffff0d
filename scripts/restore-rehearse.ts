import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemContext } from '#app/server/system-context.ts';
import { openFileStore } from '#gateways/files/open.ts';
import { openPayments } from '#gateways/payments/open.ts';
import { type Config, InvalidEnvironment, readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/db/database.ts';
import { isMigrated } from '#platform/db/migrate.ts';
import { createLog } from '#platform/log.ts';
import { runCommand } from './operator-command.ts';
import { findPostgres } from './postgres.mjs';
import type { BackupMethod } from './rehearsal/backup.ts';
import { embeddedBackup } from './rehearsal/embedded-backup.ts';
import { postgresBackup } from './rehearsal/postgres-backup.ts';
import { type RehearsalReport, rehearse } from './rehearsal/rehearse.ts';

// `npm run restore:rehearse [-- --to SERVER_OR_FOLDER] [--files BACKUP] [--while-trading]`: backs up the live database, restores
// the backup elsewhere, replays what the payment providers know, compares, and removes the copy. Exits with 1 when anything
// differs; with --while-trading, money that moved while the backup was made and could not be replayed is listed but no failure.

const { values } = parseArgs({
  options: {
    to: { type: 'string' },
    files: { type: 'string' },
    'while-trading': { type: 'boolean', default: false },
  },
});

await runCommand(async () => {
  const config = readConfig();
  const original = await openDatabase({
    url: config.databaseDirectUrl,
    dataDir: config.dataDir,
    mayShare: true,
    statementTimeout: 0,
  });
  try {
    if (!(await isMigrated(original)))
      throw new InvalidEnvironment('The database is not that of this build: start it once first.');
    const { method, stop } = await chooseMethod(config);
    try {
      const report = await rehearse({
        original,
        method,
        openPayments: (db) => openPayments(config, db),
        files: backupOfFiles(config),
        contextOf: (db) => systemContext({ db, config, log: createLog('silent') }, 'restore-rehearsal'),
      });
      print(report);
      const hasFailed = report.faults.length > 0 || (report.losses.length > 0 && !values['while-trading']);
      return hasFailed ? 1 : 0;
    } finally {
      await stop();
    }
  } finally {
    await original.close();
  }
});

async function chooseMethod({
  databaseDirectUrl: databaseUrl,
  dataDir,
}: Config): Promise<{ method: BackupMethod; stop(): Promise<void> }> {
  if (!databaseUrl) {
    const folder = values.to === undefined ? undefined : resolve(values.to);
    return { method: embeddedBackup(dataDir, folder), stop: async () => {} };
  }
  if (values.to) return { method: postgresBackup(databaseUrl, values.to), stop: async () => {} };
  const cluster = await findPostgres({});
  if (!('url' in cluster))
    throw new InvalidEnvironment(`Name a server to restore to with --to postgres://…: ${cluster.reason}`);
  return { method: postgresBackup(databaseUrl, cluster.url), stop: cluster.stop };
}

/** The store named by --files: a bucket or a folder; without it the live one, which proves less. */
function backupOfFiles({ filesUrl, dataDir, secret, filesKeys: keys }: Config) {
  const given = values.files;
  if (given === undefined) return openFileStore({ filesUrl, folder: join(dataDir, 'files'), secret, keys });
  return given.startsWith('s3:')
    ? openFileStore({ filesUrl: given, folder: '', secret, keys })
    : openFileStore({ folder: resolve(given), secret, keys });
}

function print({ faults, losses, ledgerHash, factsHash, counts, seconds }: RehearsalReport): void {
  const number = (value: number) => value.toLocaleString('en-US');
  const time = (value: number) => `${value.toFixed(1)} s`;
  const blocked = seconds.blocked > 0 ? `, during ${time(seconds.blocked)} of which writers waited` : '';
  const verdict = (isRight: boolean) => (isRight ? '✓' : '✘');
  const store = values.files ?? 'the live file store, since --files was not given';
  const lines = [
    `Backup: ${time(seconds.backup)}${blocked}; ${number(counts.backupBytes)} bytes, ${number(counts.tables)} tables, ${number(counts.rows)} rows, ${number(counts.sales)} sales, ${number(counts.entries)} ledger entries`,
    `Ledger up to the backup: sha256 ${ledgerHash}`,
    `Restore ${time(seconds.restore)}, migration ${time(seconds.migrate)}, replay ${time(seconds.replay)} (${number(counts.asked)} sales asked about), checks ${time(seconds.check)}`,
    `Between the backup and its end the original posted ${number(counts.newEntries)} entries that providers know of; the replay, which is later, posted ${number(counts.recovered)}`,
    `What the original knew from the providers: sha256 ${factsHash.original}, in the copy ${factsHash.copy}`,
    ...(counts.ahead > 0
      ? [
          `The copy heard from the providers of ${number(counts.ahead)} sales what the original has not asked about yet`,
        ]
      : []),
    `Files: ${number(counts.files)} named, looked for in ${store}`,
    ...faults.map((fault) => `✘ ${fault}`),
    ...losses.map((loss) => `✘ lost: ${loss}`),
    `${verdict(faults.length === 0)} the copy ${faults.length === 0 ? 'is' : 'is not'} what was backed up, complete and in balance`,
    `${verdict(losses.length === 0)} ${losses.length === 0 ? 'the replay brought back all money that moved after the backup' : `${losses.length} facts about money that moved after the backup were not brought back`}`,
    `RPO ${time(seconds.rpo)} (plus the time between two backups), RTO ${time(seconds.rto)}`,
  ];
  console.log(lines.join('\n'));
}
