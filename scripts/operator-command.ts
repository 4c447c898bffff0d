import { migrateUnlimited } from '#app/server/migrate-unlimited.ts';
import { systemContext } from '#app/server/system-context.ts';
import { readConfig } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';

/** Runs a command of the operator and makes its result the exit code; faults are printed, in full with LOG_LEVEL=debug. */
export async function runCommand(command: () => Promise<0 | 1>): Promise<void> {
  process.exitCode = await command().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    if (process.env.LOG_LEVEL === 'debug') console.error(error);
    return 1;
  });
}

/** Works on the database of the environment, migrated first, also while a server has it open. */
export async function withOperatorContext<T>(
  name: string,
  work: (ctx: Ctx) => Promise<T>,
  requestId: string = `${name} ${crypto.randomUUID()}`,
): Promise<T> {
  const config = readConfig();
  const db = await openDatabase({ url: config.databaseDirectUrl, dataDir: config.dataDir, mayShare: true });
  try {
    await migrateUnlimited(db, config);
    return await work(systemContext({ db, config, log: createLog(config.logLevel) }, name, requestId));
  } finally {
    await db.close();
  }
}
