import { parseArgs } from 'node:util';
import { systemContext } from '#app/server/system-context.ts';
import { auditChecks, pinnedHeadFrom } from '#features/audit/model.ts';
import { checkAudit } from '#features/audit/reads.ts';
import { InvalidEnvironment, readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/db/database.ts';
import { isMigrated } from '#platform/db/migrate.ts';
import { UNHURRIED_MS } from '#platform/db/unhurried.ts';
import { createLog } from '#platform/log.ts';
import { runCommand } from './operator-command.ts';

// `npm run audit:check [-- --expect POSITION:HASH]`: verifies the audit log of the live database; prints what it finds and the end of
// the chain, and exits with 1 when it found anything.
await runCommand(async () => {
  const { values } = parseArgs({ options: { expect: { type: 'string' } } });
  const pinned = values.expect === undefined ? null : pinnedHeadFrom(values.expect);
  if (values.expect !== undefined && pinned === null)
    throw new InvalidEnvironment('--expect takes POSITION:HASH or HASH, as an earlier run printed it.');
  const config = readConfig();
  const db = await openDatabase({
    url: config.databaseDirectUrl,
    dataDir: config.dataDir,
    mayShare: true,
    statementTimeout: UNHURRIED_MS,
  });
  try {
    if (!(await isMigrated(db)))
      throw new InvalidEnvironment('The database is not that of this build: start it once first.');
    const ctx = systemContext({ db, config, log: createLog('silent') }, 'audit-check');
    const { findings, total, head } = await checkAudit(ctx, { pinned });
    for (const { check, subject, detail } of findings) console.log(`✘ ${check}: ${subject}: ${detail}`);
    const wrong = new Set(findings.map(({ check }) => check));
    for (const check of auditChecks)
      if (!wrong.has(check) && (pinned || check !== 'the pinned head is in the chain'))
        console.log(`✓ ${check}`);
    console.log(total ? `\n${total} findings` : '\nThe audit log is whole.');
    if (head) console.log(`Head ${head.position}:${head.hash}`);
    return total ? 1 : 0;
  } finally {
    await db.close();
  }
});
