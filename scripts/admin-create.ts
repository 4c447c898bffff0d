import { parseArgs } from 'node:util';
import { createAdmin } from '#features/accounts/commands/create-admin.ts';
import { readConfig } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { createLog } from '#platform/log.ts';

// `npm run admin:create -- EMAIL`: makes an administrator and prints a password that works once.

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  return 1;
});

async function main(): Promise<0 | 1> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [email] = positionals;
  if (!email || positionals.length > 1) {
    console.error('Usage: npm run admin:create -- EMAIL');
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
      actor: { kind: 'system', name: 'admin:create' },
      requestId: `admin:create ${crypto.randomUUID()}`,
      ip: null,
      now: () => new Date(),
    };
    const result = await createAdmin(ctx, { email });
    if (result.ok) {
      console.log(`${email} is an administrator now.`);
      console.log(`One-time password: ${result.oneTimePassword}`);
      console.log(`Sign in at ${config.publicUrl}/admin; a password of your own is asked for there.`);
      return 0;
    }
    const reason =
      result.reason === 'address_taken'
        ? 'there is an account with this address already'
        : Object.values(result.errors).join(', ');
    console.error(`No administrator was made of ${email}: ${reason}.`);
    return 1;
  } finally {
    await db.close();
  }
}
