import { systemContext } from '#app/server/system-context.ts';
import { checkLedger, ledgerChecks } from '#features/ledger/reads.ts';
import { InvalidEnvironment, readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/db/database.ts';
import { isMigrated } from '#platform/db/migrate.ts';
import { createLog } from '#platform/log.ts';

// `npm run ledger:check`: checks the ledger's invariants on the live database; prints violations and exits with 1 if any.
try {
  const config = readConfig();
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, mayShare: true });
  try {
    if (!(await isMigrated(db)))
      throw new InvalidEnvironment('The database is not that of this build: start it once first.');
    const ctx = systemContext({ db, config, log: createLog('silent') }, 'ledger-check');
    const findings = await checkLedger(ctx);
    for (const { check, subject, detail } of findings) console.log(`✘ ${check}: ${subject}: ${detail}`);
    const wrong = new Set(findings.map(({ check }) => check));
    for (const check of ledgerChecks()) if (!wrong.has(check)) console.log(`✓ ${check}`);
    console.log(findings.length ? `\n${findings.length} findings` : '\nThe books are right.');
    process.exitCode = findings.length ? 1 : 0;
  } finally {
    await db.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
