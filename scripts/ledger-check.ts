import { systemContext } from '#app/server/system-context.ts';
import { checkLedger, ledgerChecks } from '#features/ledger/reads.ts';
import { clearingBalances } from '#features/reconciliation/reads.ts';
import { openPayments } from '#gateways/payments/open.ts';
import { openPayouts } from '#gateways/payouts/open.ts';
import { InvalidEnvironment, readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/db/database.ts';
import { isMigrated } from '#platform/db/migrate.ts';
import { UNHURRIED_MS } from '#platform/db/unhurried.ts';
import { createLog } from '#platform/log.ts';
import { dollarsAndCents } from '#platform/money.ts';

// `npm run ledger:check`: checks the ledger's invariants on the live database, and compares clearing with what each provider
// account holds; prints violations and exits with 1 if any, or if an account with postings could not be compared.
try {
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
    const ctx = systemContext({ db, config, log: createLog('silent') }, 'ledger-check');
    const findings = await checkLedger(ctx);
    for (const { check, subject, detail } of findings) console.log(`✘ ${check}: ${subject}: ${detail}`);
    const wrong = new Set(findings.map(({ check }) => check));
    for (const check of ledgerChecks()) if (!wrong.has(check)) console.log(`✓ ${check}`);
    const payments = await openPayments(config, db, { now: ctx.now });
    const payouts = await openPayouts(config, db, ctx.now);
    let differing = 0;
    let unproven = 0;
    for (const { provider, livemode, oursCents, hasPostings, comparison, reason } of await clearingBalances({
      ...ctx,
      payments,
      payouts,
    })) {
      const account = `${provider} (${livemode ? 'live' : 'test'}): ours ${dollarsAndCents(oursCents)}`;
      if (!comparison) {
        unproven += hasPostings ? 1 : 0;
        console.log(
          hasPostings
            ? `✘ ${account}, has postings and could not be compared: ${reason}`
            : `? ${account}, has no postings and could not be compared: ${reason}`,
        );
      } else {
        const { theirsCents, pendingCents, unexplainedCents } = comparison;
        const isRight = unexplainedCents === 0;
        differing += isRight ? 0 : 1;
        console.log(
          `${isRight ? '✓' : '✘'} ${account}, theirs ${dollarsAndCents(theirsCents)}, pending ${dollarsAndCents(pendingCents)}, ` +
            `unexplained ${dollarsAndCents(unexplainedCents)}`,
        );
      }
    }
    const found = findings.length + differing;
    if (found) console.log(`\n${found} findings`);
    if (unproven)
      console.log(
        `\nNot proven: ${unproven} ${unproven === 1 ? 'account with postings was' : 'accounts with postings were'} not compared with what the provider holds.`,
      );
    if (!found && !unproven) console.log('\nThe books are right.');
    process.exitCode = found || unproven ? 1 : 0;
  } finally {
    await db.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
