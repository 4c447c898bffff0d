import { parseArgs } from 'node:util';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { readConfig } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { NotFound } from '#platform/errors.ts';
import { createLog } from '#platform/log.ts';

// `npm run listing:approve -- ID`: puts a listing that waits for approval on the market.

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  return 1;
});

async function main(): Promise<0 | 1> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [id] = positionals;
  if (!id || positionals.length > 1) {
    console.error('Usage: npm run listing:approve -- ID');
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
      actor: { kind: 'system', name: 'listing:approve' },
      requestId: `listing:approve ${crypto.randomUUID()}`,
      ip: null,
      now: () => new Date(),
    };
    const result = await approveListing(ctx, { propertyId: id.toLowerCase() });
    if (result.ok) {
      console.log(`The listing is Active now: ${config.publicUrl}/property/${id.toLowerCase()}`);
      return 0;
    }
    console.error(`The listing ${id} does not wait for approval.`);
    return 1;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    console.error(`There is no listing ${id}.`);
    return 1;
  } finally {
    await db.close();
  }
}
