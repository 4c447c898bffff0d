import { parseArgs } from 'node:util';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { readConfig } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { createLog } from '#platform/log.ts';

// `npm run seller:invite -- EMAIL NAME`: makes a seller's record, mails the registration link and prints it.

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  return 1;
});

async function main(): Promise<0 | 1> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [email, ...names] = positionals;
  if (!email || names.length === 0) {
    console.error('Usage: npm run seller:invite -- EMAIL NAME');
    return 1;
  }
  const config = readConfig();
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, mayShare: true });
  try {
    await migrate(db);
    const ctx: Ctx = {
      db,
      config,
      log: createLog(config.logLevel),
      actor: { kind: 'system', name: 'seller:invite' },
      requestId: `seller:invite ${crypto.randomUUID()}`,
      ip: null,
      now: () => new Date(),
    };
    const result = await inviteSeller(ctx, { email, name: names.join(' ') });
    if (result.ok) {
      console.log(`${email} is invited. The link below is mailed too; it works once and for seven days.`);
      console.log(result.link);
      return 0;
    }
    const reason =
      result.reason === 'address_taken'
        ? 'there is a seller or an account with this address already'
        : Object.values(result.errors).join(', ');
    console.error(`${email} was not invited: ${reason}.`);
    return 1;
  } finally {
    await db.close();
  }
}
